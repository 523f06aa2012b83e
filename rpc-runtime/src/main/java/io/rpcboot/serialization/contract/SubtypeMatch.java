package io.rpcboot.serialization.contract;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Finds a type of the other side among those that stand for a declared one: the same text
 * first, then a class of the same name, then one that an alias of either side joins.
 *
 * @param <T> what is found
 */
public final class SubtypeMatch<T> {

	private final Map<String, T> texts = new HashMap<>();

	private final Map<String, T> names = new HashMap<>();

	private final Map<String, T> aliases = new HashMap<>();

	/** Add an own type, behind those before it; its definition is null if it has none. */
	public void add(TypeRef type, @Nullable ContractType definition, T found) {
		this.texts.put(type.toString(), found);
		if (definition != null) {
			this.names.putIfAbsent(type.name(), found);
			definition.aliases().forEach((alias) -> this.aliases.putIfAbsent(alias, found));
		}
	}

	/**
	 * The own type that is the same as one of the other side, whose definition is null if
	 * it has none there; null if there is none.
	 */
	public @Nullable T find(TypeRef type, @Nullable ContractType definition) {
		T found = this.texts.get(type.toString());
		if (found != null || definition == null) {
			return found;
		}
		found = this.names.getOrDefault(type.name(), this.aliases.get(type.name()));
		for (String each : definition.aliases()) {
			found = (found != null) ? found : this.names.get(each);
		}
		return found;
	}

}
