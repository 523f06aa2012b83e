package io.rpcboot.internal.protocol.grpc;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;

/**
 * Prefix of a message: compressed flag (1 byte: 0 or 1), then the length of the message
 * as it is sent (4 bytes).
 */
public final class MessagePrefix {

	/** Length of the prefix, in bytes. */
	public static final int LENGTH = 5;

	private MessagePrefix() {
	}

	/** Writes a prefix. */
	public static void write(byte[] target, int offset, boolean compressed, int length) {
		target[offset] = (byte) (compressed ? 1 : 0);
		target[offset + 1] = (byte) (length >>> 24);
		target[offset + 2] = (byte) (length >>> 16);
		target[offset + 3] = (byte) (length >>> 8);
		target[offset + 4] = (byte) length;
	}

	/**
	 * Returns the length of a message, before anything is allocated for it.
	 * @param limit {@code max-frame-size} of the receiver
	 * @throws GrpcException if the message exceeds the limit
	 */
	public static int length(byte[] bytes, int offset, int limit, Side receiver) {
		int length = (bytes[offset + 1] & 0xff) << 24 | (bytes[offset + 2] & 0xff) << 16
				| (bytes[offset + 3] & 0xff) << 8 | (bytes[offset + 4] & 0xff);
		if (length < 0 || length > limit) {
			throw GrpcException.tooLong(Integer.toUnsignedString(length), limit, receiver);
		}
		return length;
	}

	/**
	 * Returns true if a message is compressed.
	 * @param hasEncoding true after a {@code grpc-encoding} other than identity
	 * @throws GrpcException if the flag is invalid, or set without an encoding
	 */
	public static boolean isCompressed(byte[] bytes, int offset, boolean hasEncoding) {
		int flag = bytes[offset] & 0xff;
		if (flag > (hasEncoding ? 1 : 0)) {
			throw new GrpcException(RpcStatus.INTERNAL, "compressed flag of the message: %d (expected: %s)"
				.formatted(flag, hasEncoding ? "0 or 1" : "0 without grpc-encoding, or with identity"));
		}
		return flag == 1;
	}

}
