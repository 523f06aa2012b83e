package io.rpcboot.internal.transport;

import org.jspecify.annotations.Nullable;

/**
 * What a side does with its connection's frames. Every method is called on the
 * connection's event loop and must not block. A
 * {@link io.rpcboot.internal.protocol.ProtocolException} from any of them closes the
 * connection.
 */
public interface FrameHandler {

	/** The connection is open; the preface is on its way. */
	void onOpen();

	/**
	 * Bytes arrived; the frames that they complete follow.
	 * @param nanos when, as {@link System#nanoTime()}
	 */
	void onRead(long nanos);

	/**
	 * A frame arrived.
	 * @param type its type, 1 to 255
	 * @param flags its flags
	 * @param code its code
	 * @param callId its call id
	 * @param bytes holds its body, until this method returns
	 * @param offset where the body begins
	 * @param length length of the body
	 */
	void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length);

	/** Nothing more to read for now: the end of a batch of frames. */
	void onReadComplete();

	/**
	 * The connection is closed, once, after {@link #onOpen()}; its queue has ended.
	 * @param cause why, null for the usual ways
	 */
	void onClosed(@Nullable Throwable cause);

}
