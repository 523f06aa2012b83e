package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * The serialization of one method: arguments, result, declared exceptions. Thread-safe.
 * Reading never trusts the bytes: every length is checked against what remains before
 * anything is allocated, depth is bounded, and left-over bytes are an error. A range is
 * only read during the call; nothing keeps the array.
 */
public interface MethodCodec {

	/**
	 * Serialize arguments.
	 * @param arguments one for each parameter; an empty array or null when there is none
	 * @param out where to
	 * @throws SerializationException if a value cannot be carried
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out);

	/**
	 * Deserialize arguments.
	 * @param source holds the bytes
	 * @param offset of the first byte
	 * @param length number of bytes
	 * @return one for each parameter
	 * @throws SerializationException if the bytes are not what
	 * {@link #serializeArguments} writes
	 */
	@Nullable Object[] deserializeArguments(byte[] source, int offset, int length);

	/**
	 * Deserialize arguments of which one may have a long value apart. As it is, this puts
	 * the message together first; who knows what to do with such a value overrides it.
	 * @param source holds the bytes but for those of the value
	 * @param offset of the first byte
	 * @param length number of bytes of the message, those of the value included
	 * @param value the other bytes; null if the source has all of them
	 * @return one for each parameter
	 * @throws SerializationException if the bytes are not what
	 * {@link #serializeArguments} writes
	 */
	default @Nullable Object[] deserializeArguments(byte[] source, int offset, int length,
			@Nullable DetachedBytes value) {
		return (value == null) ? deserializeArguments(source, offset, length)
				: deserializeArguments(value.join(source, offset, length), 0, length);
	}

	/**
	 * Serialize a result. For a method that returns a future, what the future holds.
	 * @param result the result, null for void
	 * @param out where to
	 * @throws SerializationException if a value cannot be carried
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	void serializeResult(@Nullable Object result, OutputBuffer out);

	/**
	 * Deserialize a result.
	 * @param source holds the bytes
	 * @param offset of the first byte
	 * @param length number of bytes
	 * @return the result
	 * @throws SerializationException if the bytes are not what {@link #serializeResult}
	 * writes
	 */
	@Nullable Object deserializeResult(byte[] source, int offset, int length);

	/**
	 * Deserialize a result that may have a long value apart, as
	 * {@link #deserializeArguments(byte[], int, int, DetachedBytes)} does arguments.
	 * @param source holds the bytes but for those of the value
	 * @param offset of the first byte
	 * @param length number of bytes of the message, those of the value included
	 * @param value the other bytes; null if the source has all of them
	 * @return the result
	 * @throws SerializationException if the bytes are not what {@link #serializeResult}
	 * writes
	 */
	default @Nullable Object deserializeResult(byte[] source, int offset, int length, @Nullable DetachedBytes value) {
		return (value == null) ? deserializeResult(source, offset, length)
				: deserializeResult(value.join(source, offset, length), 0, length);
	}

	/**
	 * Serialize an exception that the method declares, or a subclass of one, as data:
	 * which declared type, message, the fields that the declared type adds.
	 * @param thrown the exception
	 * @param out where to
	 * @return false, with nothing written, if the method declares neither its class nor a
	 * superclass of it
	 * @throws SerializationException if a value cannot be carried
	 * @throws MessageTooLargeException if the limit of the buffer is reached
	 */
	boolean serializeException(Throwable thrown, OutputBuffer out);

	/**
	 * Deserialize a declared exception. The stack trace is that of the reading thread.
	 * @param source holds the bytes
	 * @param offset of the first byte
	 * @param length number of bytes
	 * @return the exception, to be thrown
	 * @throws SerializationException if the bytes are not what
	 * {@link #serializeException} writes
	 */
	Throwable deserializeException(byte[] source, int offset, int length);

}
