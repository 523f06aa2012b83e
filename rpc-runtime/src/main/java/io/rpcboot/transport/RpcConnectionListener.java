package io.rpcboot.transport;

import io.rpcboot.context.RpcConnection;

/**
 * Receives connection events. Each method is called once for a connection, {@code closed}
 * after {@code connected} has returned. The thread may block, but comes from the pool
 * that runs calls (server) or callbacks (client); it is never an event loop. Calls may
 * arrive before {@code connected} has returned. Several connections may report at the
 * same time. Exceptions are logged and have no effect. <pre>{@code
 * class Sessions implements RpcConnectionListener {
 *
 *     public void connected(RpcConnection connection) {
 *         connection.attributes().put("session", new Session());
 *     }
 *
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface RpcConnectionListener {

	/**
	 * Called when a connection is established and its handshake done.
	 * @param connection the connection
	 */
	default void connected(RpcConnection connection) {
	}

	/**
	 * Called when an established connection has ended.
	 * @param connection the same object as in {@code connected}
	 * @param reason the reason, as text
	 */
	default void closed(RpcConnection connection, String reason) {
	}

}
