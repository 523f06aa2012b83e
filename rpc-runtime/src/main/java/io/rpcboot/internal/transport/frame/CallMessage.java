package io.rpcboot.internal.transport.frame;

import org.jspecify.annotations.Nullable;

/**
 * Message of a call: its body, and the id by which its connection finds it in a
 * {@link CallTable}.
 */
public class CallMessage {

	/** Link of {@link CallTable}. */
	@Nullable CallMessage nextInTable;

	/** Id of the call on its connection, 0 without one. */
	public long callId;

	/** Holds the body from index 0 on; may be longer than the body. */
	public byte[] body = OutboundFrame.NOTHING;

	/** Length of the body in bytes. */
	public int length;

	/** Chunks of a large body, null if the array holds the body. */
	public @Nullable ChunkedBody large;

	protected CallMessage() {
	}

	/** Returns the call id. */
	public final long id() {
		return this.callId;
	}

	/** Returns the length of the body in bytes. */
	public final int length() {
		return this.length;
	}

	/**
	 * Sets the body.
	 * @param bytes hold it from index 0 on, unless it is in chunks
	 * @param count its length in bytes
	 * @param chunks hold it if it is too long for an array, else null
	 */
	public final void holds(byte[] bytes, int count, @Nullable ChunkedBody chunks) {
		body(bytes, count);
		this.large = chunks;
	}

	protected final void body(byte[] bytes, int count) {
		this.body = bytes;
		this.length = count;
	}

}
