package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * Codec of one method: serializes arguments, result and declared exceptions. Thread-safe.
 * Reading never trusts the bytes: every length is compared with the remaining bytes
 * before anything is allocated, depth is bounded, and left-over bytes are an error. A
 * codec reads a range during the call only and does not keep the array.
 *
 * <pre class="code">
 * MethodCodec codec = serializer.codec(service).method(number);
 * codec.serializeArguments(new Object[] { 42L }, buffer);
 * </pre>
 *
 * @since 0.1.0
 */
public interface MethodCodec {

	/**
	 * Serializes arguments.
	 * @param arguments one for each parameter; an empty array or null if there is none
	 * @param out target
	 * @throws SerializationException if a value cannot be sent
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out);

	/**
	 * Deserializes arguments.
	 * @param source array that holds the bytes
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @return one for each parameter
	 * @throws SerializationException if the bytes are not a result of
	 * {@link #serializeArguments}
	 */
	@Nullable Object[] deserializeArguments(byte[] source, int offset, int length);

	/**
	 * Serializes an element of the stream that the caller sends: the last parameter,
	 * without those before it. Only codecs that HTTP/2 carries have streams.
	 * @param element the element
	 * @param out target
	 * @throws SerializationException if the value cannot be sent, or the format has no
	 * streams
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	default void serializeElement(Object element, OutputBuffer out) {
		throw new SerializationException("a stream (expected: single values, because the format has no streams)");
	}

	/**
	 * Deserializes an element of the stream that the caller sends.
	 * @param source array that holds the bytes
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @return the element, null if the message has none
	 * @throws SerializationException if the bytes are not a result of
	 * {@link #serializeElement}, or the format has no streams
	 */
	default @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		throw new SerializationException("a stream (expected: single values, because the format has no streams)");
	}

	/**
	 * Serializes a result. The result of a method that returns a future is the value of
	 * the future.
	 * @param result the result, null for void
	 * @param out target
	 * @throws SerializationException if a value cannot be sent
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	void serializeResult(@Nullable Object result, OutputBuffer out);

	/**
	 * Deserializes a result.
	 * @param source array that holds the bytes
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @return the result, null for void
	 * @throws SerializationException if the bytes are not a result of
	 * {@link #serializeResult}
	 */
	@Nullable Object deserializeResult(byte[] source, int offset, int length);

	/**
	 * Serializes an exception as data: the declared type, the message and the fields of
	 * the declared type.
	 * @param thrown the exception
	 * @param out target
	 * @return false, with nothing written, if the method declares neither the class of
	 * the exception nor a superclass
	 * @throws SerializationException if a value cannot be sent
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	boolean serializeException(Throwable thrown, OutputBuffer out);

	/**
	 * Deserializes a declared exception. The stack trace is that of the reading thread.
	 * @param source array that holds the bytes
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @return the exception, to be thrown
	 * @throws SerializationException if the bytes are not a result of
	 * {@link #serializeException}
	 */
	Throwable deserializeException(byte[] source, int offset, int length);

}
