package io.rpcboot.internal.protocol.http2;

/**
 * Limits that one side of a connection announces to the other, in bytes. Immutable.
 *
 * @param headerList longest list of header fields, with 32 bytes beside each (RFC 9113,
 * section 6.5.2)
 * @param connectionWindow DATA of all streams that the peer may send before an update.
 * Memory is reserved as messages arrive, so this promises nothing
 */
public record Http2Limits(int headerList, int connectionWindow) {

	/**
	 * Window of a stream: what a peer may send of a message before there is memory for
	 * it. A message with a body of 64 KiB fits.
	 */
	public static final int STREAM_WINDOW = 65 * 1024;

	/** Fields of a request beside attachments and credentials. */
	private static final int REQUEST_FIELDS = 4 * 1024;

	/** Fields of a response beside attachments, which proxies add to. */
	private static final int RESPONSE_FIELDS = 16 * 1024;

	/** A client opens many streams, so this is small. */
	private static final int WINDOW_OF_SERVER = 1024 * 1024;

	private static final int WINDOW_OF_CLIENT = 16 * 1024 * 1024;

	/**
	 * Returns the limits of a server.
	 * @param headerList 0 for one that fits the other two
	 * @param attachments longest attachments
	 * @param credentials longest credentials, 0 if none are read
	 */
	public static Http2Limits server(int headerList, int attachments, int credentials) {
		return new Http2Limits((headerList > 0) ? headerList : REQUEST_FIELDS + attachments + credentials,
				WINDOW_OF_SERVER);
	}

	/**
	 * Returns the limits of a client.
	 * @param attachments longest attachments
	 */
	public static Http2Limits client(int attachments) {
		return new Http2Limits(RESPONSE_FIELDS + attachments, WINDOW_OF_CLIENT);
	}

}
