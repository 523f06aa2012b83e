package io.rpcboot.serialization;

import java.util.function.Function;

import io.rpcboot.RpcConfigurationException;

/**
 * Lets a type of others be carried as a type of your own: values are turned into a
 * surrogate before they are written, and made of one when they arrive. Serves every
 * serializer. Both sides have to give one for the type, with the same surrogate or a
 * version of it that fits: changes of the surrogate follow the rules of evolution.
 *
 * <pre class="code">
 * new Delegate&lt;&gt;(Path.class, String.class, Path::toString, Path::of)
 * </pre>
 *
 * <p>
 * Every instance of the type is given to {@code writer}, also one of a subclass; what
 * arrives is what {@code reader} makes. Let {@code writer} throw an exception for an
 * instance that would lose something. An exception of either ends the call, with the path
 * of the value and with the text of the exception.
 *
 * @param <T> the type
 * @param <S> the surrogate
 * @param type the type as it is declared: a class or interface that is not carried
 * otherwise
 * @param surrogate the class that stands for it, such as a public record; it may have the
 * type parameters of the type, in the same order, and then has the same arguments
 * @param writer makes a surrogate, which is not null, of a value, which is not null;
 * thread-safe
 * @param reader makes a value, which is not null, of a surrogate, which is not null;
 * thread-safe, and it must not trust what arrives
 */
public record Delegate<T, S>(Class<? super T> type, Class<? super S> surrogate, Function<T, S> writer,
		Function<S, T> reader) {

	/**
	 * Create a delegate.
	 * @throws RpcConfigurationException if the type is an array or a primitive, or the
	 * surrogate has other type parameters
	 */
	public Delegate {
		if (type.isArray() || type.isPrimitive()) {
			throw new RpcConfigurationException(
					"delegate of %s (expected: a class or interface)".formatted(type.getTypeName()),
					"Give a delegate for the class that is not carried.");
		}
		int parameters = surrogate.getTypeParameters().length;
		if (parameters != 0 && parameters != type.getTypeParameters().length) {
			throw new RpcConfigurationException(
					"delegate of %s: surrogate %s with %d type parameters (expected: none, or the %d of the type)"
						.formatted(type.getTypeName(), surrogate.getTypeName(), parameters,
								type.getTypeParameters().length),
					"Let a record with the type parameters of %s hold the %s.".formatted(type.getTypeName(),
							surrogate.getSimpleName()));
		}
	}

}
