package io.rpcboot.server;

/** Which thread runs a call. */
public enum Dispatch {

	/**
	 * A thread of the worker pool. A call that blocks delays no other while the pool has
	 * a free thread.
	 */
	POOL,

	/**
	 * A virtual thread of its own, which needs Java 21. For calls that wait for something
	 * else most of the time.
	 */
	VIRTUAL,

	/**
	 * The event loop of the connection, with no change of thread. Only for calls that
	 * never block and take a few microseconds: while one runs, every connection on its
	 * loop waits.
	 */
	EVENT_LOOP

}
