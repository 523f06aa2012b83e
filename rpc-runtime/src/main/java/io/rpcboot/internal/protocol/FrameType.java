package io.rpcboot.internal.protocol;

/**
 * The types of frames, each with the meaning of the header's fields that it uses. Numbers
 * that are not listed end the connection.
 */
public final class FrameType {

	/** First frame of each side. Body: {@link Hello}. */
	public static final int HELLO = 1;

	/**
	 * Gives numbers to the methods of a service. Code: first number. Body: {@link Bind}.
	 */
	public static final int BIND = 2;

	/**
	 * Answers BIND. Code: status. Call id: the first number of the BIND. Body:
	 * {@link BindReply} if OK, else a UTF-8 message.
	 */
	public static final int BIND_REPLY = 3;

	/** A call. Code: method number. Body: sections, then the serialized arguments. */
	public static final int REQUEST = 4;

	/** Answers a call. Code: status. Body: serialized result, or {@link Failure}. */
	public static final int RESPONSE = 5;

	/** A call without an answer. Code: method number. Body: as REQUEST. */
	public static final int ONE_WAY = 6;

	/** The caller no longer waits for the call id. */
	public static final int CANCEL = 7;

	/** Asks for PONG. Call id: any number. */
	public static final int PING = 8;

	/** Answers PING with its number. */
	public static final int PONG = 9;

	/** Raises the grant. Call id: total of calls. Body: total of bytes, 8 bytes. */
	public static final int WINDOW = 10;

	/**
	 * Send no more calls. Code: status. Call id: the last call that is served. Body:
	 * UTF-8 reason.
	 */
	public static final int GO_AWAY = 11;

	/** Reserved: data of a stream. */
	public static final int STREAM_DATA = 12;

	/** Reserved: end of a stream. */
	public static final int STREAM_END = 13;

	/**
	 * The table of a contract. Code: the first number of the BIND that it belongs to.
	 * Body: UTF-8 text of the sender's contract; empty from a server that asks for the
	 * client's, and from a client that cannot send it.
	 */
	public static final int CONTRACT = 14;

	/**
	 * A frame of the sender does not fit into its grant of bytes. Call id: the length of
	 * its body.
	 */
	public static final int NEED = 15;

	/**
	 * The sender gives a part of its grant back. Call id: how many bytes, which count as
	 * sent.
	 */
	public static final int YIELD = 16;

	/**
	 * Where a long value lies in the body of the next frame, which is a call or its
	 * answer. Call id: the length of the value in the upper 32 bits, how many bytes of
	 * the body follow it in the lower. No body.
	 */
	public static final int PLACE = 17;

	/** Shortest value that has a place, in bytes. */
	public static final int SHORTEST_PLACED = 8 * 1024;

	/** Longest body of a frame that needs no grant, in bytes. */
	public static final int MAX_CONTROL_BODY = 4096;

	private FrameType() {
	}

	/**
	 * Where a value lies.
	 * @param length of the value, in bytes
	 * @param behind how many bytes of the body follow it
	 * @return the call id of {@link #PLACE}
	 */
	public static long place(int length, int behind) {
		return ((long) length << Integer.SIZE) | behind;
	}

	/**
	 * Whether the body of a frame counts in the grant of bytes.
	 * @param type one of these
	 * @param flags its flags
	 * @return false for frames of the protocol itself, which are short
	 */
	public static boolean needsGrant(int type, int flags) {
		return switch (type) {
			case REQUEST, ONE_WAY, CONTRACT, BIND_REPLY -> true;
			case RESPONSE -> (flags & FrameHeader.FLAG_NOT_EXECUTED) == 0;
			default -> false;
		};
	}

	/**
	 * Whether a frame carries arguments or a result.
	 * @param type one of the types
	 * @return false for frames of the protocol itself
	 */
	public static boolean isCall(int type) {
		return type == REQUEST || type == ONE_WAY || type == RESPONSE;
	}

}
