package io.rpcboot.serialization;

/**
 * A long byte array of a message that stands in no line with the rest of it: it was read
 * into an array that may become the value itself, without another copy.
 *
 * @param bytes all bytes of the value; whoever deserializes the message may keep the
 * array, and hand it out once
 * @param at where they belong: index in the array that holds the rest of the message,
 * before the byte that follows them
 */
public record DetachedBytes(byte[] bytes, int at) {

	/**
	 * Put a message together, for who reads it from one array.
	 * @param source holds all other bytes of the message
	 * @param offset of the first byte
	 * @param length of the message with these bytes, the number of bytes
	 * @return the message, from index 0 on
	 * @throws SerializationException if these bytes do not belong into that range
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
