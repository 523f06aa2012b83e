package io.rpcboot.serialization;

import java.util.function.Function;

import io.rpcboot.RpcConfigurationException;

/**
 * Conversion that lets a class of a library be carried as another type. A writer turns
 * each value into a surrogate, a reader turns the surrogate back. Works with every
 * serializer. Both sides need a delegate for the type, with the same surrogate or a
 * compatible version of it: changes of the surrogate follow the rules of evolution.
 *
 * <pre class="code">
 * new Delegate&lt;&gt;(Path.class, String.class, Path::toString, Path::of)
 * </pre>
 *
 * <p>
 * {@code writer} gets every instance of the type, also of a subclass. It should throw an
 * exception for an instance that it cannot convert without loss. An exception of either
 * function ends the call; the message has the path of the value and the text of the
 * exception.
 *
 * @param <T> the type
 * @param <S> the surrogate
 * @param type declared type: a class or interface that is not carried otherwise
 * @param surrogate class that is carried in place of the type, such as a public record;
 * it may have the type parameters of the type, in the same order, and then gets the same
 * arguments
 * @param writer converts a value into a surrogate; neither is null; thread-safe
 * @param reader converts a surrogate into a value; neither is null; thread-safe; it must
 * check the surrogate, which a peer has sent
 * @since 0.1.0
 */
public record Delegate<T, S>(Class<? super T> type, Class<? super S> surrogate, Function<T, S> writer,
		Function<S, T> reader) {

	/**
	 * Creates a delegate.
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
