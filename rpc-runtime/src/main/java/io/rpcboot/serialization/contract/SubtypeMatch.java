package io.rpcboot.serialization.contract;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Finds the own subtype for a type of a peer: by the same text, then by the same class
 * name, then by an alias of either side. Not thread-safe.
 *
 * @param <T> an own subtype
 * @since 0.1.0
 */
public final class SubtypeMatch<T> {

	private final Map<String, T> texts = new HashMap<>();

	private final Map<String, T> names = new HashMap<>();

	private final Map<String, T> aliases = new HashMap<>();

	/**
	 * Adds an own type. Earlier types come first.
	 * @param type the type
	 * @param definition definition of the type, null if it has none
	 * @param found result of a match with the type
	 */
	public void add(TypeRef type, @Nullable ContractType definition, T found) {
		this.texts.put(type.toString(), found);
		if (definition != null) {
			this.names.putIfAbsent(type.name(), found);
			definition.aliases().forEach((alias) -> this.aliases.putIfAbsent(alias, found));
		}
	}

	/**
	 * Finds the own subtype for a type of the peer.
	 * @param type type of the peer
	 * @param definition definition in the peer's contract, null if it has none
	 * @return the own subtype, null if there is none
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
