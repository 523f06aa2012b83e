package io.rpcboot.transport;

/**
 * Told of connections. Each method is called once for a connection, {@code closed} after
 * {@code connected} has returned, on a thread that may block but is taken from those that
 * run calls (server) or callbacks (client); never on an event loop. Calls may arrive
 * before {@code connected} has returned. Of several connections, several threads may tell
 * at the same time. What a listener throws is logged and changes nothing.
 */
public interface RpcConnectionListener {

	/**
	 * A connection is established, its handshake done.
	 * @param connection the connection
	 */
	default void connected(RpcConnection connection) {
	}

	/**
	 * A connection that was established has ended.
	 * @param connection the same object as in {@code connected}
	 * @param reason why, for people
	 */
	default void closed(RpcConnection connection, String reason) {
	}

}
