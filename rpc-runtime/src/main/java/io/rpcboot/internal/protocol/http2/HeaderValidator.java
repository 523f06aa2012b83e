package io.rpcboot.internal.protocol.http2;

import org.jspecify.annotations.Nullable;

/**
 * Validates the header fields of a block against the rules of requests, responses and
 * trailers (RFC 9113, sections 8.1 to 8.3): pseudo-header fields are known, come first
 * and once, and are complete; names have no capitals; no field belongs to a connection of
 * HTTP/1. The reader feeds it; at the end of the block, the connection requires the kind
 * of block that the state of the stream allows.
 */
public final class HeaderValidator {

	private static final int REQUEST = HeaderRole.METHOD | HeaderRole.SCHEME | HeaderRole.PATH;

	private static final int REQUEST_WITH_AUTHORITY = REQUEST | HeaderRole.AUTHORITY;

	private static final int CONNECT = HeaderRole.METHOD | HeaderRole.CONNECT | HeaderRole.AUTHORITY;

	/** Roles of the fields of the block. */
	private int seen;

	/** First violation of a rule for all kinds of blocks, null if there is none. */
	private @Nullable String violation;

	/** Creates a validator, which {@link #begin()} makes ready for a block. */
	public HeaderValidator() {
	}

	/** Begins a block. */
	public void begin() {
		this.seen = 0;
		this.violation = null;
	}

	/** Takes the next field of the block. */
	public void accept(HeaderField field) {
		int role = field.role();
		if (role != HeaderRole.REGULAR) {
			acceptSpecial(role);
		}
		this.seen |= role;
	}

	private void acceptSpecial(int role) {
		if ((role & HeaderRole.MALFORMED) != 0) {
			reject("header field: malformed, unknown pseudo-header field, or connection-specific (expected: "
					+ "RFC 9113, section 8.2)");
		}
		else if ((role & HeaderRole.PSEUDO) != 0 && (this.seen & (role | HeaderRole.REGULAR)) != 0) {
			reject("pseudo-header field: twice or behind a regular field (expected: once, in front)");
		}
	}

	/** Rejects the block for a reason outside of its fields. */
	void reject(String reason) {
		if (this.violation == null) {
			this.violation = reason;
		}
	}

	/**
	 * Requires the fields of a request.
	 * @param streamId id of its stream
	 * @throws Http2Exception in scope of the stream if the block is no valid request
	 */
	public void requireRequest(int streamId) {
		int fields = this.seen & (HeaderRole.PSEUDO | HeaderRole.CONNECT);
		require(streamId, fields == REQUEST || fields == REQUEST_WITH_AUTHORITY || fields == CONNECT,
				"pseudo-header fields of a request (expected: :method, :scheme, :path, perhaps :authority)");
	}

	/**
	 * Requires the fields of a response, be it final or interim.
	 * @param streamId id of its stream
	 * @throws Http2Exception in scope of the stream if the block is no valid response
	 */
	public void requireResponse(int streamId) {
		require(streamId, (this.seen & HeaderRole.PSEUDO) == HeaderRole.STATUS,
				"pseudo-header fields of a response (expected: :status alone)");
	}

	/**
	 * Requires the fields of trailers. Trailers end their stream, which the connection
	 * checks.
	 * @param streamId id of their stream
	 * @throws Http2Exception in scope of the stream if the block has pseudo-header fields
	 * or is malformed
	 */
	public void requireTrailers(int streamId) {
		require(streamId, (this.seen & HeaderRole.PSEUDO) == 0, "pseudo-header fields of trailers (expected: none)");
	}

	private void require(int streamId, boolean complete, String message) {
		String reason = (this.violation != null || complete) ? this.violation : message;
		if (reason != null) {
			throw Http2Exception.stream(streamId, Http2Error.PROTOCOL_ERROR, reason);
		}
	}

}
