package io.rpcboot.serialization.contract;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Finds a type of the other side among those that stand for a declared one: the same text
 * first, then a class of the same name, then one that an alias of either side joins.
 */
public final class SubtypeMatch {

	private final Map<String, TypeRef> texts = new HashMap<>();

	private final Map<String, TypeRef> names = new HashMap<>();

	private final Map<String, TypeRef> aliases = new HashMap<>();

	/**
	 * Create a match.
	 * @param types the types, in their order
	 * @param definitions gives the definition of each; null for one that has none
	 */
	public SubtypeMatch(List<TypeRef> types, Function<TypeRef, @Nullable ContractType> definitions) {
		for (TypeRef each : types) {
			this.texts.put(each.toString(), each);
			ContractType definition = definitions.apply(each);
			if (definition != null) {
				this.names.putIfAbsent(each.name(), each);
				definition.aliases().forEach((alias) -> this.aliases.putIfAbsent(alias, each));
			}
		}
	}

	/**
	 * Find a type of the other side.
	 * @param type the type
	 * @param definition its definition there; null if it has none
	 * @return the same type among the own ones; null if there is none
	 */
	public @Nullable TypeRef find(TypeRef type, @Nullable ContractType definition) {
		TypeRef found = this.texts.get(type.toString());
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
