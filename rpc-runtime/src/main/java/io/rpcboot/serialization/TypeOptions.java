package io.rpcboot.serialization;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.rpcboot.RpcConfigurationException;

/**
 * What an application adds to the types that serializers carry. Immutable: each method
 * gives another one.
 *
 * @param subtypes by base, the classes that may stand where it is declared, in addition
 * to those that it permits or names by {@link io.rpcboot.RpcSubtypes}
 * @param delegates by type, what lets it be carried
 * @param subtypesName what messages call the option of the subtypes
 */
public record TypeOptions(Map<Class<?>, Set<Class<?>>> subtypes, Map<Class<?>, Delegate<?, ?>> delegates,
		String subtypesName) {

	/** Nothing is added. */
	public static final TypeOptions NONE = new TypeOptions(Map.of(), Map.of(), "subtypes");

	/**
	 * Declare classes that may stand where a type is declared.
	 * @param base a class or interface of the application, or {@code Object} for classes
	 * that no method reaches otherwise
	 * @param more public subclasses; one that is abstract brings its own subtypes
	 * @return options with them
	 */
	public TypeOptions withSubtypes(Class<?> base, Class<?>... more) {
		return with(
				new TypeOptions(Map.of(base, new LinkedHashSet<>(Arrays.asList(more))), Map.of(), this.subtypesName));
	}

	/**
	 * Carry the type of a delegate.
	 * @param delegate the delegate
	 * @return options with it
	 * @throws RpcConfigurationException if there is one for the type already
	 */
	public TypeOptions withDelegate(Delegate<?, ?> delegate) {
		if (this.delegates.containsKey(delegate.type())) {
			throw new RpcConfigurationException(
					"delegates: two for %s (expected: one for each type)".formatted(delegate.type().getTypeName()),
					"Remove one of them.");
		}
		return with(new TypeOptions(Map.of(), Map.of(delegate.type(), delegate), this.subtypesName));
	}

	/**
	 * Carry what other options add, too.
	 * @param others options, whose name of the subtypes is the one that counts; of two
	 * delegates for one type the own one stays
	 * @return options with both
	 */
	public TypeOptions with(TypeOptions others) {
		Map<Class<?>, Set<Class<?>>> subtypes = new LinkedHashMap<>();
		this.subtypes.forEach((base, each) -> subtypes.put(base, new LinkedHashSet<>(each)));
		others.subtypes
			.forEach((base, each) -> subtypes.computeIfAbsent(base, (key) -> new LinkedHashSet<>()).addAll(each));
		Map<Class<?>, Delegate<?, ?>> delegates = new LinkedHashMap<>(others.delegates);
		delegates.putAll(this.delegates);
		return new TypeOptions(subtypes, delegates, others.subtypesName);
	}

	/**
	 * Name the option of the subtypes, such as by the property that sets it.
	 * @param name without the class that follows in brackets
	 * @return options with that name
	 */
	public TypeOptions withSubtypesName(String name) {
		return new TypeOptions(this.subtypes, this.delegates, name);
	}

	/**
	 * What declares the subtypes of a class, for a message.
	 * @param base the class
	 * @return the name of the option and the class in brackets
	 */
	public String subtypesOf(Class<?> base) {
		return "%s[%s]".formatted(this.subtypesName, base.getTypeName());
	}

}
