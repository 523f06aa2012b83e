package io.rpcboot.serialization;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.rpcboot.RpcConfigurationException;

/**
 * Types that an application adds to those of a serializer. Immutable: each method returns
 * a new instance.
 *
 * <pre class="code">
 * TypeOptions types = TypeOptions.NONE.withSubtypes(Payment.class, Card.class, Transfer.class)
 * 	.withDelegate(new Delegate&lt;&gt;(Path.class, String.class, Path::toString, Path::of));
 * </pre>
 *
 * @param subtypes subtypes by base class, in addition to permitted subclasses and those
 * of {@link io.rpcboot.RpcSubtypes}
 * @param delegates delegates by their type
 * @param subtypesName name of the option of the subtypes, for messages
 * @since 0.1.0
 */
public record TypeOptions(Map<Class<?>, Set<Class<?>>> subtypes, Map<Class<?>, Delegate<?, ?>> delegates,
		String subtypesName) {

	/** No additional types. */
	public static final TypeOptions NONE = new TypeOptions(Map.of(), Map.of(), "subtypes");

	/**
	 * Adds subtypes of a declared type.
	 * @param base a class or interface of the application, or {@code Object} for classes
	 * that no method reaches otherwise
	 * @param more public subclasses; the subtypes of an abstract one are added too
	 * @return options with the subtypes
	 */
	public TypeOptions withSubtypes(Class<?> base, Class<?>... more) {
		return with(
				new TypeOptions(Map.of(base, new LinkedHashSet<>(Arrays.asList(more))), Map.of(), this.subtypesName));
	}

	/**
	 * Adds a delegate.
	 * @param delegate the delegate
	 * @return options with the delegate
	 * @throws RpcConfigurationException if the type already has one
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
	 * Adds the types of other options. If both have a delegate for a type, the own one is
	 * kept.
	 * @param others other options; their name of the subtypes replaces the own one
	 * @return options with the types of both
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
	 * Sets the name of the option of the subtypes, for messages.
	 * @param name name such as that of a property, without the class in brackets
	 * @return options with the name
	 */
	public TypeOptions withSubtypesName(String name) {
		return new TypeOptions(this.subtypes, this.delegates, name);
	}

	/**
	 * Returns the option that declares the subtypes of a class, for a message.
	 * @param base the class
	 * @return name of the option, and the class in brackets
	 */
	public String subtypesOf(Class<?> base) {
		return "%s[%s]".formatted(this.subtypesName, base.getTypeName());
	}

}
