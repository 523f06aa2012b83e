package io.rpcboot.internal.transport.binary;

import io.rpcboot.internal.transport.connection.ProtocolHandler;

/**
 * Receives the frames and the life of a connection. Called on the event loop of the
 * connection; must not block. An exception, such as a
 * {@link io.rpcboot.internal.protocol.ProtocolException}, closes the connection.
 */
public interface FrameListener extends ProtocolHandler.Listener {

	/**
	 * Called for a frame whose body is in the read buffer.
	 * @param type its type, 1 to 255
	 * @param flags its flags
	 * @param code its code
	 * @param callId its call id
	 * @param bytes hold its body until this method returns
	 * @param offset index of the body
	 * @param length length of the body
	 */
	void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length);

	/**
	 * Called when an incomplete body of more than
	 * {@link io.rpcboot.internal.protocol.binary.FrameType#MAX_CONTROL_BODY} bytes
	 * begins.
	 * @param type type of its frame
	 * @param callId call id of its frame
	 * @param length length of the body
	 * @return false to read nothing more from this connection
	 */
	boolean admits(int type, long callId, int length);

	/**
	 * Called for a frame whose body has arrays of its own, which this listener may keep.
	 * @param type its type, 1 to 255
	 * @param flags its flags
	 * @param code its code
	 * @param callId its call id
	 * @param body its complete body
	 */
	void onBody(int type, int flags, int code, long callId, InboundBody body);

}
