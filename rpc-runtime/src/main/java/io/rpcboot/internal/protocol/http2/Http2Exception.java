package io.rpcboot.internal.protocol.http2;

/**
 * Signals bytes that violate HTTP/2. Its scope is the connection, which ends with GOAWAY,
 * or one stream, which ends with RST_STREAM.
 */
public final class Http2Exception extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int streamId;

	private final Http2Error error;

	private Http2Exception(int streamId, Http2Error error, String message) {
		super(message, null, false, false);
		this.streamId = streamId;
		this.error = error;
	}

	/**
	 * Creates an exception that ends the connection.
	 * @param error code for GOAWAY
	 * @param message found and expected value; constant for one reason, because log lines
	 * are grouped by it, and without text of the peer
	 */
	public static Http2Exception connection(Http2Error error, String message) {
		return new Http2Exception(0, error, message);
	}

	/**
	 * Creates an exception that ends a stream. In scope of stream 0, it ends the
	 * connection.
	 * @param streamId id of the stream
	 * @param error code for RST_STREAM
	 * @param message found and expected value, as that of a connection
	 */
	public static Http2Exception stream(int streamId, Http2Error error, String message) {
		return new Http2Exception(streamId, error, message);
	}

	/** Returns the code for RST_STREAM or GOAWAY. */
	public Http2Error error() {
		return this.error;
	}

	/** Returns the id of the stream that ends, 0 if the connection ends. */
	public int streamId() {
		return this.streamId;
	}

	/** Returns true if the connection ends. */
	public boolean isConnectionError() {
		return this.streamId == 0;
	}

}
