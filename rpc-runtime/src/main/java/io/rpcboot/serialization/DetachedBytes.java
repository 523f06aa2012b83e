package io.rpcboot.serialization;

/**
 * Long byte array of a message that is not in the array with the other bytes. It was read
 * into its own array, which can become the value without another copy.
 *
 * <p>
 * Example: a message of 10,005 bytes has a value of 10,000 bytes between 3 bytes and 2
 * bytes. The other array holds 5 bytes from index 0, {@code at} is 3 and {@code bytes}
 * has 10,000 elements.
 *
 * @param bytes all bytes of the value; the codec may keep the array and hand it out once
 * @param at place of the value: index in the array that holds the rest of the message, in
 * front of the byte that follows the value
 * @since 0.1.0
 */
public record DetachedBytes(byte[] bytes, int at) {

	/**
	 * Joins the message in one array.
	 * @param source array that holds all other bytes of the message
	 * @param offset index of the first byte
	 * @param length size of the message with these bytes, in bytes
	 * @return the message, from index 0
	 * @throws SerializationException if {@link #at} is outside the range
	 */
	public byte[] join(byte[] source, int offset, int length) {
		int before = this.at - offset;
		int behind = length - this.bytes.length - before;
		if (before < 0 || behind < 0) {
			throw new SerializationException("value of %d bytes at %d (expected: within the message of %d bytes at %d)"
				.formatted(this.bytes.length, this.at, length, offset));
		}
		byte[] message = new byte[length];
		System.arraycopy(source, offset, message, 0, before);
		System.arraycopy(this.bytes, 0, message, before, this.bytes.length);
		System.arraycopy(source, this.at, message, before + this.bytes.length, behind);
		return message;
	}

}
