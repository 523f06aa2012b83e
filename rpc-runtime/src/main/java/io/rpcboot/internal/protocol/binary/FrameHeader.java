package io.rpcboot.internal.protocol.binary;

import io.netty.buffer.ByteBuf;

/**
 * Header of a frame: the 16 bytes before each body.
 *
 * <pre>
 *  0               4       5       6       8                              16
 * +---------------+-------+-------+-------+------------------------------+
 * | body length   | type  | flags | code  | call id                      |
 * +---------------+-------+-------+-------+------------------------------+
 * </pre>
 *
 * All numbers are unsigned and big-endian. The body length does not count the header.
 */
public final class FrameHeader {

	/** Size of a header, in bytes. */
	public static final int LENGTH = 16;

	/** REQUEST: the body begins with the remaining time, 4 bytes, milliseconds. */
	public static final int FLAG_DEADLINE = 1;

	/**
	 * REQUEST, ONE_WAY, RESPONSE: an {@link AttachmentsSection} follows.
	 */
	public static final int FLAG_ATTACHMENTS = 2;

	/** Reserved: the body is compressed. */
	static final int FLAG_COMPRESSED = 4;

	/** RESPONSE: the method certainly did not run. */
	public static final int FLAG_NOT_EXECUTED = 8;

	/** RESPONSE: the body is a declared exception, written by the serializer. */
	public static final int FLAG_DECLARED_EXCEPTION = 16;

	/**
	 * REQUEST, ONE_WAY: the call uses the last of the grant that the client has received.
	 * A larger grant may let it send more calls.
	 */
	public static final int FLAG_LAST_GRANTED = 32;

	/**
	 * WINDOW: grants the last NEED of the peer.
	 */
	public static final int FLAG_ANSWERS_NEED = 64;

	/**
	 * RESPONSE with {@link #FLAG_NOT_EXECUTED}: the application refused the call. No
	 * other instance is tried. RESPONSE without: a call that the method made failed. The
	 * failure does not speak against the instance, and a retry is the method's task.
	 */
	public static final int FLAG_FINAL = 128;

	/** Size of the section of {@link #FLAG_DEADLINE}, in bytes. */
	public static final int DEADLINE_LENGTH = 4;

	private FrameHeader() {
	}

	/**
	 * Returns true if an error response does not speak against its server: a declared
	 * exception, or the failure of a call that the method made.
	 * @param flags flags of the response
	 */
	public static boolean isAnswer(int flags) {
		return (flags & FLAG_DECLARED_EXCEPTION) != 0 || (flags & (FLAG_FINAL | FLAG_NOT_EXECUTED)) == FLAG_FINAL;
	}

	/**
	 * Writes a header.
	 * @param out target
	 * @param bodyLength size of the body, in bytes
	 * @param type a constant of {@link FrameType}
	 * @param flags sum of flags
	 * @param code method number or status, 0 to 65535
	 * @param callId id of the call, 0 if none
	 */
	public static void write(ByteBuf out, int bodyLength, int type, int flags, int code, long callId) {
		out.writeLong(((long) bodyLength << 32) | (((long) type << 24) | (flags << 16) | code));
		out.writeLong(callId);
	}

	/**
	 * Reads the section of {@link #FLAG_DEADLINE}.
	 * @param bytes array that holds the section of {@link #DEADLINE_LENGTH} bytes
	 * @param offset index of the section
	 * @return the remaining time in milliseconds, unsigned
	 */
	public static long remainingMillis(byte[] bytes, int offset) {
		return ((bytes[offset] & 0xffL) << 24) | ((bytes[offset + 1] & 0xff) << 16) | ((bytes[offset + 2] & 0xff) << 8)
				| (bytes[offset + 3] & 0xff);
	}

}
