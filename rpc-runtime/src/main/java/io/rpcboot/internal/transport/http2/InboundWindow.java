package io.rpcboot.internal.transport.http2;

import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;

/** Window of DATA that the peer may send on all streams together. Event loop only. */
public final class InboundWindow {

	private final Http2Output output;

	private final int size;

	/** Bytes that the peer may send before an update. */
	private int left;

	/**
	 * Creates a full window.
	 * @param output sends updates
	 * @param size bytes, as announced to the peer
	 */
	public InboundWindow(Http2Output output, int size) {
		this.output = output;
		this.size = size;
		this.left = size;
	}

	/**
	 * Counts received DATA, and fills the window again when half of it is used.
	 * @param bytes with padding
	 * @throws Http2Exception in scope of the connection if the peer has sent more
	 */
	public void onData(int bytes) {
		this.left -= bytes;
		if (this.left < 0) {
			throw Http2Exception.connection(Http2Error.FLOW_CONTROL_ERROR,
					"DATA beyond the window of the connection (expected: within it)");
		}
		if (this.left < this.size / 2) {
			this.output.windowUpdate(0, this.size - this.left);
			this.left = this.size;
		}
	}

}
