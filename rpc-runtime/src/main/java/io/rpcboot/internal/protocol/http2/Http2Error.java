package io.rpcboot.internal.protocol.http2;

/** Error codes of RST_STREAM and GOAWAY (RFC 9113, section 7), in their order. */
public enum Http2Error {

	/** Graceful end, no failure. */
	NO_ERROR,

	/** Violation of the protocol without a code of its own. */
	PROTOCOL_ERROR,

	/** Failure of the sender of the code. */
	INTERNAL_ERROR,

	/** More DATA than the window allows, or a window above its maximum. */
	FLOW_CONTROL_ERROR,

	/** No acknowledgement of SETTINGS in time. */
	SETTINGS_TIMEOUT,

	/** Frame for a stream that is closed. */
	STREAM_CLOSED,

	/** Frame with a length that its type does not allow. */
	FRAME_SIZE_ERROR,

	/** Stream that was refused before anything of it was processed. */
	REFUSED_STREAM,

	/** Stream that its sender needs no further. */
	CANCEL,

	/** Header block that cannot be decoded; the header table is lost. */
	COMPRESSION_ERROR,

	/** Failure of a connection made for CONNECT. */
	CONNECT_ERROR,

	/** Peer that causes excessive load. */
	ENHANCE_YOUR_CALM,

	/** Transport that is not secure enough. */
	INADEQUATE_SECURITY,

	/** Request that needs HTTP/1.1. */
	HTTP_1_1_REQUIRED;

	private static final Http2Error[] ALL = values();

	/** Returns the number of this error in a frame. */
	public int code() {
		return ordinal();
	}

	/**
	 * Returns the error with a number.
	 * @param code number in a frame
	 * @return {@link #INTERNAL_ERROR} for unknown numbers
	 */
	public static Http2Error of(int code) {
		return (code >= 0 && code < ALL.length) ? ALL[code] : INTERNAL_ERROR;
	}

}
