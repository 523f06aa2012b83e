package io.rpcboot.internal.server.connection;

import io.rpcboot.context.RpcConnection;
import org.jspecify.annotations.Nullable;

/** What a connection of a server does beside its calls. Event loop only. */
interface ServerConnectionProtocol {

	/** The connection is open. */
	void onOpen();

	/** A frame that is no call arrived; the array is the receiver's. */
	void onFrame(int type, int flags, int code, long callId, byte[] body);

	/** A long body has begun. Returns whether it is to be read. */
	boolean admits(int type, long callId, int length);

	/** A call arrived by a number that no method has. */
	void onUnknown(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long allowedNanos);

	/** The connection is closed. */
	void onClosed(@Nullable Throwable cause);

	/** What the client may send, and what it takes. */
	ServerFlowControl flow();

	/** As the application sees the connection; null until calls may come. */
	@Nullable RpcConnection listened();

}
