package io.rpcboot.context;

import java.util.concurrent.ConcurrentMap;

import io.rpcboot.Side;

/**
 * An established connection, as an application sees it: one object for the life of the
 * connection. Thread-safe.
 *
 * @since 0.1.0
 */
public interface RpcConnection {

	/**
	 * Returns the side of this application.
	 * @return client or server
	 */
	Side side();

	/**
	 * Returns the address of the peer.
	 * @return address and port
	 */
	String remote();

	/**
	 * Returns the application name that the peer reported, without a proof.
	 * @return the name, empty for none
	 */
	String application();

	/**
	 * Returns attributes of the application, which live as long as the connection.
	 * @return a thread-safe map, empty at first
	 */
	ConcurrentMap<String, Object> attributes();

}
