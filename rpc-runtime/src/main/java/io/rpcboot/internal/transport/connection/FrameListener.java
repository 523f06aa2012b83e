package io.rpcboot.internal.transport.connection;

import io.rpcboot.internal.transport.frame.InboundBody;
import org.jspecify.annotations.Nullable;

/**
 * What a side does with its connection's frames. Every method is called on the
 * connection's event loop and must not block. A
 * {@link io.rpcboot.internal.protocol.ProtocolException} from any of them closes the
 * connection.
 */
public interface FrameListener {

	/** The connection is open; the preface is on its way. */
	void onOpen();

	/**
	 * Bytes arrived; the frames that they complete follow.
	 * @param nanos when they were read, as {@link System#nanoTime()}
	 * @param gapNanos how long they may have waited before, because the event loop stood
	 * still; else 0
	 */
	void onRead(long nanos, long gapNanos);

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

	/**
	 * A body of more than {@link io.rpcboot.internal.protocol.FrameType#MAX_CONTROL_BODY}
	 * bytes has begun and not arrived whole.
	 * @param type type of its frame
	 * @param callId call id of its frame
	 * @param length length of the body
	 * @return false if nothing more is to be read on this connection
	 */
	boolean admits(int type, long callId, int length);

	/**
	 * A frame arrived whose body has an array of its own and belongs to this handler from
	 * now on.
	 * @param type its type, 1 to 255
	 * @param flags its flags
	 * @param code its code
	 * @param callId its call id
	 * @param body all of its body
	 */
	void onBody(int type, int flags, int code, long callId, InboundBody body);

	/** Nothing more to read for now: the end of a batch of frames. */
	void onReadComplete();

	/**
	 * The connection is closed, once, after {@link #onOpen()}; its queue has ended.
	 * @param cause why, null for the usual ways
	 */
	void onClosed(@Nullable Throwable cause);

}
