package io.rpcboot.internal.protocol.binary;

/**
 * Types of frames, each with the header fields that it uses. An unlisted number ends the
 * connection.
 */
public final class FrameType {

	/** Introduces a side; its first frame. Body: {@link Hello}. */
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

	/**
	 * A call that expects a reply. Code: method number. Body: sections, then the
	 * serialized arguments.
	 */
	public static final int REQUEST = 4;

	/** Reply to a call. Code: status. Body: serialized result, or {@link Failure}. */
	public static final int RESPONSE = 5;

	/** A call without a reply. Code: method number. Body: as REQUEST. */
	public static final int ONE_WAY = 6;

	/** Cancels a call. Call id: the call. */
	public static final int CANCEL = 7;

	/** Requests a PONG. Call id: any number. */
	public static final int PING = 8;

	/** Reply to a PING. Call id: that of the PING. */
	public static final int PONG = 9;

	/** Raises the grant. Call id: total of calls. Body: {@link Window}. */
	public static final int WINDOW = 10;

	/**
	 * Announces that no more calls are accepted. Code: status. Call id: the last call
	 * that is served. Body: UTF-8 reason.
	 */
	public static final int GO_AWAY = 11;

	/** Reserved: data of a stream. */
	public static final int STREAM_DATA = 12;

	/** Reserved: end of a stream. */
	public static final int STREAM_END = 13;

	/**
	 * The text of a contract. Code: the first number of its BIND. Body: UTF-8 text of the
	 * sender's contract. Empty from a server that requests the client's contract, and
	 * from a client that cannot send its contract.
	 */
	public static final int CONTRACT = 14;

	/**
	 * Requests a grant for a frame that exceeds the grant of bytes. Call id: the length
	 * of its body.
	 */
	public static final int NEED = 15;

	/**
	 * Gives a part of the grant back. Call id: number of bytes, which count as sent.
	 */
	public static final int YIELD = 16;

	/**
	 * Credentials of a client, before its HELLO and when they change. Code: 1 if another
	 * AUTH frame continues the text, else 0. Body: text as of the header
	 * {@code Authorization} of HTTP, US-ASCII.
	 */
	public static final int AUTH = 17;

	/** Maximum length of the body of a frame that needs no grant, in bytes. */
	public static final int MAX_CONTROL_BODY = 4096;

	private FrameType() {
	}

	/**
	 * Returns true if the body of a frame counts against the grant of bytes.
	 * @param type a constant of this class
	 * @param flags flags of the frame
	 * @return false for control frames, which are short
	 */
	public static boolean needsGrant(int type, int flags) {
		return switch (type) {
			case REQUEST, ONE_WAY, CONTRACT, BIND_REPLY -> true;
			case RESPONSE -> (flags & FrameHeader.FLAG_NOT_EXECUTED) == 0;
			default -> false;
		};
	}

	/**
	 * Returns true if a frame carries arguments or a result.
	 * @param type a constant of this class
	 * @return false for control frames
	 */
	public static boolean isCall(int type) {
		return type == REQUEST || type == ONE_WAY || type == RESPONSE;
	}

}
