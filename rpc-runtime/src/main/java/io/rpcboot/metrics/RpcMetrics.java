package io.rpcboot.metrics;

import java.util.List;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;

/**
 * What the engine reports. Recorders are resolved once, at start-up or at the first use
 * of a method, and are called on the hot path: implementations neither block nor throw.
 * Thread-safe.
 */
public interface RpcMetrics {

	/** Which side reports. */
	enum Side {

		CLIENT, SERVER

	}

	/**
	 * Numbers that are read when somebody looks. What happened "so far" only rises, the
	 * others rise and fall. Times are in nanoseconds.
	 */
	enum Gauge {

		/** Client: calls waiting for a reply. */
		PENDING,

		/** Client: calls that wait for room among those, in a queue. */
		QUEUED,

		/** Client: calls that wait for an instance with a grant and room. */
		HELD,

		/**
		 * Client: one-way calls so far that failed before the socket had taken them.
		 */
		LOST_CALLS,

		/**
		 * Client: connections whose socket is being connected, or whose handshake is
		 * under way.
		 */
		CLIENT_CONNECTIONS_OPENING,

		/** Client: connections that take calls. */
		CLIENT_CONNECTIONS_READY,

		/** Client: connections that only finish what is under way. */
		CLIENT_CONNECTIONS_LEAVING,

		/** Client: times so far that a server told this client to go away. */
		CLIENT_GO_AWAYS,

		/** Client: event loops. */
		CLIENT_LOOPS,

		/** Client: tasks that wait for their turn in all event loops. */
		CLIENT_LOOP_TASKS,

		/** Client: time so far that all event loops have spent working. */
		CLIENT_LOOP_NANOS,

		/** Client: batches so far that waited a round, because rounds bring frames. */
		CLIENT_ROUNDS_WAITED,

		/** Client: batches so far that waited a round to see whether it brings frames. */
		CLIENT_ROUNDS_PROBED,

		/** Client: batches so far that left at once, because rounds bring nothing. */
		CLIENT_ROUNDS_LEFT_OUT,

		/** Server: calls being executed or waiting for a thread. */
		IN_FLIGHT,

		/** Server: calls that its connections together may have under way. */
		GRANTED_CALLS,

		/**
		 * Server: bytes of arguments that its connections together may have under way.
		 */
		GRANTED_BYTES,

		/** Client: bytes set apart for replies: granted, arriving, waiting. */
		CLIENT_MEMORY_INCOMING,

		/** Client: bytes of arguments of the calls under way. */
		CLIENT_MEMORY_OUTGOING,

		/** Client: most bytes of both. */
		CLIENT_MEMORY_LIMIT,

		/** Client: arguments and replies that wait for bytes of it. */
		CLIENT_MEMORY_WAITING,

		/**
		 * Client: calls sent again so far, because a server answered that it did not run
		 * them.
		 */
		RESENT_REFUSED,

		/**
		 * Client: calls sent again so far, because their connection took no more: its
		 * server went away, or its instance was named no longer.
		 */
		RESENT_GO_AWAY,

		/**
		 * Client: calls sent again so far, because their connection was lost before they
		 * were written.
		 */
		RESENT_DISCONNECTED,

		/** Client: calls made once more so far, because they had failed. */
		RESENT_FAILED,

		/** Client: calls sent to a second instance so far, because they took long. */
		RESENT_HEDGED,

		/** Client: calls so far that were not made once more for want of a budget. */
		RETRIES_DENIED,

		/** Client: calls of a service that may be made once more now. */
		RETRIES_LEFT,

		/** Client: calls so far whose time was over before they were sent. */
		CLIENT_EXPIRED,

		/** Client: calls so far that were cancelled before they were sent. */
		CLIENT_CANCELLED,

		/**
		 * Client: services so far of which a server refused all or some methods, each
		 * once for each connection.
		 */
		CLIENT_CONTRACTS_REFUSED,

		/** Client: most threads of the callback pool. */
		CALLBACK_THREADS,

		/** Client: threads of the callback pool that complete a future. */
		CALLBACKS_BUSY,

		/** Client: futures that wait for a thread of the callback pool. */
		CALLBACKS_WAITING,

		/** Client: instances of a service to which the first connection is being made. */
		INSTANCES_CONNECTING,

		/** Client: instances of a service that take calls. */
		INSTANCES_READY,

		/** Client: instances of a service that owe answers and send nothing. */
		INSTANCES_FROZEN,

		/** Instances whose calls go badly, so that they get one now and then. */
		INSTANCES_EJECTED,

		/** Client: instances of a service that are shutting down. */
		INSTANCES_DRAINING,

		/** Client: instances of a service that cannot be reached. */
		INSTANCES_BACKING_OFF,

		/** Client: instances of a service that serve another version of it. */
		INSTANCES_INCOMPATIBLE,

		/** Server: bytes set apart for arguments: granted, arriving, waiting, in use. */
		SERVER_MEMORY_INCOMING,

		/** Server: bytes of results that are being made or wait. */
		SERVER_MEMORY_OUTGOING,

		/** Server: most bytes of both. */
		SERVER_MEMORY_LIMIT,

		/** Server: arguments, results and calls that wait for bytes of it. */
		SERVER_MEMORY_WAITING,

		/**
		 * Server: results that were dropped so far, because their caller waited for them
		 * no longer.
		 */
		DROPPED_RESULTS,

		/** Server: one-way calls so far that arrived and did not begin. */
		DROPPED_CALLS,

		/** Server: threads of the pool that run a call. */
		POOL_BUSY,

		/** Server: calls that wait for a thread of the pool. */
		POOL_WAITING,

		/** Server: most threads of the pool. */
		POOL_THREADS,

		/**
		 * Server: calls so far that did not begin because their time was over, or too
		 * little of it was left.
		 */
		SERVER_EXPIRED,

		/**
		 * Server: calls so far that did not begin because they were cancelled, or their
		 * connection had ended.
		 */
		SERVER_CANCELLED,

		/**
		 * Server: services so far of which a client was refused all or some methods, each
		 * once for each connection.
		 */
		SERVER_CONTRACTS_REFUSED,

		/** Server: calls that shutdowns have waited for so far. */
		DRAINED_CALLS,

		/** Server: calls so far that had not ended when a shutdown's time was over. */
		CUT_CALLS,

		/**
		 * Server: connections whose socket is being connected, or whose handshake is
		 * under way.
		 */
		SERVER_CONNECTIONS_OPENING,

		/** Server: connections that take calls. */
		SERVER_CONNECTIONS_READY,

		/** Server: connections that only finish what is under way. */
		SERVER_CONNECTIONS_LEAVING,

		/** Server: whether no operator has taken it out: 1 or 0. */
		SERVER_ONLINE,

		/** Server: connections that have ended so far because of their age. */
		AGED_CONNECTIONS,

		/** Server: times so far that this server told a client to go away. */
		SERVER_GO_AWAYS,

		/** Server: event loops. */
		SERVER_LOOPS,

		/** Server: tasks that wait for their turn in all event loops. */
		SERVER_LOOP_TASKS,

		/** Server: time so far that all event loops have spent working. */
		SERVER_LOOP_NANOS,

		/** Server: batches so far that waited a round, because rounds bring frames. */
		SERVER_ROUNDS_WAITED,

		/** Server: batches so far that waited a round to see whether it brings frames. */
		SERVER_ROUNDS_PROBED,

		/** Server: batches so far that left at once, because rounds bring nothing. */
		SERVER_ROUNDS_LEFT_OUT,

		/** Bytes of heap that the allocators of buffers hold. */
		ALLOCATOR_HEAP,

		/** Bytes of direct memory that the allocators of buffers hold. */
		ALLOCATOR_DIRECT,

		/** Whether the registry can be reached: 1 or 0. */
		REGISTRY_CONNECTED,

		/** How often the registry was lost so far. */
		REGISTRY_OUTAGES,

		/** Services whose instances are those of the registry's snapshot. */
		REGISTRY_SNAPSHOT_SERVICES

	}

	/**
	 * The recorder of a method's calls.
	 * @param side the side
	 * @param method the method
	 * @return the recorder
	 */
	CallRecorder calls(Side side, MethodDescriptor method);

	/**
	 * The recorder of a side's connections and flushes.
	 * @param side the side
	 * @return the recorder
	 */
	TransportRecorder transport(Side side);

	/**
	 * Offer a number that may be read at any time, until the returned handle is closed.
	 * @param level what it counts
	 * @param subject what it is about, such as a service; empty if the level says all.
	 * There are few, for each may become a tag
	 * @param value reads it, from any thread; one object that is offered several times is
	 * one number
	 * @return takes the number back
	 */
	AutoCloseable gauge(Gauge level, String subject, LongSupplier value);

	/**
	 * Offer a number whose level says all.
	 * @param level what it counts
	 * @param value reads it, from any thread
	 * @return takes the number back
	 */
	default AutoCloseable gauge(Gauge level, LongSupplier value) {
		return gauge(level, "", value);
	}

	/**
	 * Whether these metrics go nowhere, so that nothing need be measured.
	 * @return true for {@link #none()}
	 */
	default boolean isNone() {
		return this == NoMetrics.INSTANCE;
	}

	/**
	 * Metrics that go nowhere.
	 * @return the no-op
	 */
	static RpcMetrics none() {
		return NoMetrics.INSTANCE;
	}

	/**
	 * Report to several metrics. One that throws is left out from then on, with one line
	 * in the log; the others and the engine go on.
	 * @param metrics any number of metrics
	 * @return {@link #none()} if there are none, the one itself if it is alone
	 */
	static RpcMetrics all(List<? extends RpcMetrics> metrics) {
		return CompositeMetrics.of(metrics);
	}

}
