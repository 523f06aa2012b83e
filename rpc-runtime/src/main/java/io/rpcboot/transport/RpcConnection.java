package io.rpcboot.transport;

import java.util.concurrent.ConcurrentMap;

import io.rpcboot.metrics.RpcMetrics.Side;

/**
 * An established connection, as an application sees it. The same object for as long as
 * the connection lives. Thread-safe.
 */
public interface RpcConnection {

	/**
	 * The side that this application is on.
	 * @return client or server
	 */
	Side side();

	/**
	 * The other side.
	 * @return address and port
	 */
	String remote();

	/**
	 * The name that the other side gave itself; nothing proves it.
	 * @return the application name, empty for none
	 */
	String application();

	/**
	 * What the application wants to keep with the connection. Gone with it.
	 * @return a map for any thread, empty at first
	 */
	ConcurrentMap<String, Object> attributes();

}
