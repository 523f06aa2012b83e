package io.rpcboot.server;

/**
 * Thread that runs a call at the server. Set for all services by
 * {@link RpcServerBuilder#dispatch}, for one service or method by
 * {@link ServiceOptions#withDispatch(Dispatch)}.
 *
 * @since 0.1.0
 */
public enum Dispatch {

	/**
	 * A thread of the worker pool. A blocking call delays no other while the pool has a
	 * free thread.
	 */
	POOL,

	/**
	 * A virtual thread for each call, which needs Java 21 or later. For calls that wait
	 * for other systems most of the time.
	 */
	VIRTUAL,

	/**
	 * The event loop of the connection, without a change of thread. Only for calls that
	 * never block and take a few microseconds: all connections of the event loop wait
	 * meanwhile.
	 */
	EVENT_LOOP

}
