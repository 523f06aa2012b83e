package io.rpcboot.internal.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The 16 bytes before each body. Stop before: write queue; stop after: the wire.
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

	/** Length of a header in bytes. */
	public static final int LENGTH = 16;

	/** REQUEST: the body begins with the remaining time, 4 bytes, milliseconds. */
	public static final int FLAG_DEADLINE = 1;

	/**
	 * REQUEST, ONE_WAY, RESPONSE: then come attachments, an {@link AttachmentsSection}.
	 */
	public static final int FLAG_ATTACHMENTS = 2;

	/** Reserved: the body is compressed. */
	static final int FLAG_COMPRESSED = 4;

	/** RESPONSE: it is certain that the method did not run. */
	public static final int FLAG_NOT_EXECUTED = 8;

	/** RESPONSE: the body is a declared exception, written by the serializer. */
	public static final int FLAG_DECLARED_EXCEPTION = 16;

	/**
	 * REQUEST, ONE_WAY: it uses up what the client was granted, so far as it knew; with
	 * more it could send more.
	 */
	public static final int FLAG_LAST_GRANTED = 32;

	/**
	 * WINDOW: what the other side asked for last with NEED is granted.
	 */
	public static final int FLAG_ANSWERS_NEED = 64;

	/**
	 * RESPONSE that did not execute: by the word of the application, so that no other
	 * instance is tried.
	 */
	public static final int FLAG_FINAL = 128;

	/** Length of the section of {@link #FLAG_DEADLINE}. */
	public static final int DEADLINE_LENGTH = 4;

	private FrameHeader() {
	}

	/**
	 * Write a header.
	 * @param out where to
	 * @param bodyLength bytes that follow the header
	 * @param type one of {@link FrameType}
	 * @param flags sum of flags
	 * @param code method number or status, 0 to 65535
	 * @param callId the call, 0 if none
	 */
	public static void write(ByteBuf out, int bodyLength, int type, int flags, int code, long callId) {
		out.writeLong(((long) bodyLength << 32) | (((long) type << 24) | (flags << 16) | code));
		out.writeLong(callId);
	}

	/**
	 * Read the section of {@link #FLAG_DEADLINE}.
	 * @param bytes hold it, {@link #DEADLINE_LENGTH} bytes
	 * @param offset where it begins
	 * @return the remaining time in milliseconds, unsigned
	 */
	public static long remainingMillis(byte[] bytes, int offset) {
		return ((bytes[offset] & 0xffL) << 24) | ((bytes[offset + 1] & 0xff) << 16) | ((bytes[offset + 2] & 0xff) << 8)
				| (bytes[offset + 3] & 0xff);
	}

}
