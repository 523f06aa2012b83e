package io.rpcboot.metrics;

import java.util.List;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;

/**
 * Receives the metrics of clients and servers. Recorders are resolved once, at start-up
 * or at the first use of a method, and are called on the hot path: an implementation
 * neither blocks nor throws. Thread-safe. <pre>{@code
 * class FailureLog implements RpcMetrics {
 *
 *     public CallRecorder calls(Side side, MethodDescriptor method) {
 *         return (status, nanos, peer) -> {
 *             if (status != RpcStatus.OK) {
 *                 this.queue.offer(method + ": " + status);
 *             }
 *         };
 *     }
 *
 *     public TransportRecorder transport(Side side) {
 *         return RpcMetrics.none().transport(side);
 *     }
 *
 *     public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
 *         return () -> { };
 *     }
 *
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface RpcMetrics {

	/**
	 * Values that are read on demand. A value "since the start" only rises; other values
	 * rise and fall. Times are in nanoseconds.
	 */
	enum Gauge {

		/** Client: calls waiting for a reply. */
		PENDING,

		/** Client: calls waiting in the queue for a permit. */
		QUEUED,

		/** Client: calls waiting for an instance with a grant and a permit. */
		HELD,

		/**
		 * Client: one-way calls since the start that failed before the socket took them.
		 */
		LOST_CALLS,

		/** Client: connections in their connect or handshake. */
		CLIENT_CONNECTIONS_OPENING,

		/** Client: connections that accept calls. */
		CLIENT_CONNECTIONS_READY,

		/** Client: connections that only complete pending calls. */
		CLIENT_CONNECTIONS_LEAVING,

		/** Client: GO_AWAY frames received since the start. */
		CLIENT_GO_AWAYS,

		/** Client: event loops. */
		CLIENT_LOOPS,

		/** Client: tasks waiting in all event loops. */
		CLIENT_LOOP_TASKS,

		/** Client: working time of all event loops since the start. */
		CLIENT_LOOP_NANOS,

		/**
		 * Client: batches since the start that waited a round, because rounds bring
		 * frames.
		 */
		CLIENT_ROUNDS_WAITED,

		/**
		 * Client: batches since the start that waited a round to find out whether it
		 * brings frames.
		 */
		CLIENT_ROUNDS_PROBED,

		/**
		 * Client: batches since the start without a wait, because rounds bring nothing.
		 */
		CLIENT_ROUNDS_LEFT_OUT,

		/** Server: calls that execute or wait for a thread. */
		IN_FLIGHT,

		/** Client: open streams; they are pending calls until their first element. */
		CLIENT_STREAMS,

		/** Server: open streams, which are calls in flight, too. */
		STREAMS,

		/** Server: calls that are granted to all connections together. */
		GRANTED_CALLS,

		/** Server: bytes of arguments that are granted to all connections together. */
		GRANTED_BYTES,

		/** Client: bytes reserved for replies: granted, arriving, waiting. */
		CLIENT_MEMORY_INCOMING,

		/** Client: bytes of arguments of pending calls. */
		CLIENT_MEMORY_OUTGOING,

		/** Client: limit of both. */
		CLIENT_MEMORY_LIMIT,

		/** Client: arguments and replies waiting for memory. */
		CLIENT_MEMORY_WAITING,

		/**
		 * Client: calls sent again since the start, because a server rejected them
		 * without execution.
		 */
		RESENT_REFUSED,

		/**
		 * Client: calls sent again since the start, because their connection accepted no
		 * more: its server went away, or its instance left the registry.
		 */
		RESENT_GO_AWAY,

		/**
		 * Client: calls sent again since the start, because their connection was lost
		 * before they were written.
		 */
		RESENT_DISCONNECTED,

		/** Client: failed calls retried since the start. */
		RESENT_FAILED,

		/**
		 * Client: calls sent to a second instance since the start, because they were
		 * slow.
		 */
		RESENT_HEDGED,

		/** Client: retries since the start that the budget prevented. */
		RETRIES_DENIED,

		/** Client: retries that the budget of a service allows now. */
		RETRIES_LEFT,

		/** Client: calls since the start whose deadline passed before they were sent. */
		CLIENT_EXPIRED,

		/** Client: calls since the start that were cancelled before they were sent. */
		CLIENT_CANCELLED,

		/**
		 * Client: services since the start of which a server rejected all or some
		 * methods, once for each connection.
		 */
		CLIENT_CONTRACTS_REFUSED,

		/** Client: maximum of threads of the callback pool. */
		CALLBACK_THREADS,

		/** Client: threads of the callback pool that complete a future. */
		CALLBACKS_BUSY,

		/** Client: futures waiting for a thread of the callback pool. */
		CALLBACKS_WAITING,

		/** Client: instances of a service in their first connect. */
		INSTANCES_CONNECTING,

		/** Client: instances of a service that accept calls. */
		INSTANCES_READY,

		/** Client: instances of a service that owe replies and are silent. */
		INSTANCES_FROZEN,

		/** Client: ejected instances of a service, which get only probe calls. */
		INSTANCES_EJECTED,

		/** Client: instances of a service that are shutting down. */
		INSTANCES_DRAINING,

		/** Client: unreachable instances of a service. */
		INSTANCES_BACKING_OFF,

		/** Client: instances that serve another version of a service. */
		INSTANCES_INCOMPATIBLE,

		/** Server: bytes reserved for arguments: granted, arriving, waiting, in use. */
		SERVER_MEMORY_INCOMING,

		/** Server: bytes of results that are written or wait. */
		SERVER_MEMORY_OUTGOING,

		/** Server: limit of both. */
		SERVER_MEMORY_LIMIT,

		/** Server: arguments, results and calls waiting for memory. */
		SERVER_MEMORY_WAITING,

		/**
		 * Server: results dropped since the start, because their caller no longer waited.
		 */
		DROPPED_RESULTS,

		/** Server: one-way calls since the start that arrived and were not executed. */
		DROPPED_CALLS,

		/** Server: threads of the pool that run a call. */
		POOL_BUSY,

		/** Server: calls waiting for a thread of the pool. */
		POOL_WAITING,

		/** Server: maximum of threads of the pool. */
		POOL_THREADS,

		/**
		 * Server: calls since the start that were not executed because their deadline had
		 * passed or was too near.
		 */
		SERVER_EXPIRED,

		/**
		 * Server: calls since the start that were not executed because they were
		 * cancelled or their connection had ended.
		 */
		SERVER_CANCELLED,

		/**
		 * Server: services since the start of which all or some methods were rejected,
		 * once for each connection.
		 */
		SERVER_CONTRACTS_REFUSED,

		/**
		 * Server: refusals since the start of callers that have proved nothing, and of
		 * credentials that are not valid.
		 */
		SERVER_UNAUTHENTICATED,

		/**
		 * Server: refusals since the start of known callers, when they bind a method or
		 * call it.
		 */
		SERVER_PERMISSION_DENIED,

		/** Server: calls since the start that shutdowns waited for. */
		DRAINED_CALLS,

		/**
		 * Server: calls since the start that had not ended within the grace period of a
		 * shutdown.
		 */
		CUT_CALLS,

		/** Server: connections in their handshake. */
		SERVER_CONNECTIONS_OPENING,

		/** Server: connections that accept calls. */
		SERVER_CONNECTIONS_READY,

		/** Server: connections that only complete calls in flight. */
		SERVER_CONNECTIONS_LEAVING,

		/** Server: 0 while an operator has taken the server out, else 1. */
		SERVER_ONLINE,

		/** Server: connections since the start that were ended because of their age. */
		AGED_CONNECTIONS,

		/**
		 * Server: connections since the start in clear text to a port that also speaks
		 * TLS; the subject is the application that the client reported.
		 */
		CLEAR_TEXT_CONNECTIONS,

		/** Server: GO_AWAY frames sent since the start. */
		SERVER_GO_AWAYS,

		/** Server: event loops. */
		SERVER_LOOPS,

		/** Server: tasks waiting in all event loops. */
		SERVER_LOOP_TASKS,

		/** Server: working time of all event loops since the start. */
		SERVER_LOOP_NANOS,

		/**
		 * Server: batches since the start that waited a round, because rounds bring
		 * frames.
		 */
		SERVER_ROUNDS_WAITED,

		/**
		 * Server: batches since the start that waited a round to find out whether it
		 * brings frames.
		 */
		SERVER_ROUNDS_PROBED,

		/**
		 * Server: batches since the start without a wait, because rounds bring nothing.
		 */
		SERVER_ROUNDS_LEFT_OUT,

		/**
		 * Client: time until the first certificate of a bundle expires; negative
		 * afterwards.
		 */
		CLIENT_CERTIFICATE_EXPIRY,

		/**
		 * Server: time until the first certificate of a bundle expires; negative
		 * afterwards.
		 */
		SERVER_CERTIFICATE_EXPIRY,

		/** Bytes of heap that the allocators of buffers hold. */
		ALLOCATOR_HEAP,

		/** Bytes of direct memory that the allocators of buffers hold. */
		ALLOCATOR_DIRECT,

		/** 1 if the registry is reachable, else 0. */
		REGISTRY_CONNECTED,

		/** Times since the start that the registry became unreachable. */
		REGISTRY_OUTAGES,

		/** Services whose instances come from the snapshot of the registry. */
		REGISTRY_SNAPSHOT_SERVICES

	}

	/**
	 * Returns the recorder of the calls of a method.
	 * @param side the side
	 * @param method the method
	 * @return the recorder
	 */
	CallRecorder calls(Side side, MethodDescriptor method);

	/**
	 * Returns the recorder of the calls of a method over a protocol.
	 * @param side the side
	 * @param method the method
	 * @param protocol {@code native} or {@code grpc}
	 * @return the recorder of {@link #calls(Side, MethodDescriptor)}, unless these
	 * metrics tell protocols apart
	 */
	default CallRecorder calls(Side side, MethodDescriptor method, String protocol) {
		return calls(side, method);
	}

	/**
	 * Returns the recorder of the connections of a side.
	 * @param side the side
	 * @return the recorder
	 */
	TransportRecorder transport(Side side);

	/**
	 * Registers a gauge until the returned handle is closed.
	 * @param level the gauge
	 * @param subject subject of the gauge, for example a service; empty for none. There
	 * are few subjects, because each may become a tag
	 * @param value returns the value; called at any time from any thread. An object that
	 * is registered several times is one value
	 * @return removes the gauge
	 */
	AutoCloseable gauge(Gauge level, String subject, LongSupplier value);

	/**
	 * Registers a gauge without a subject.
	 * @param level the gauge
	 * @param value returns the value; called from any thread
	 * @return removes the gauge
	 */
	default AutoCloseable gauge(Gauge level, LongSupplier value) {
		return gauge(level, "", value);
	}

	/**
	 * Returns true if these metrics record nothing, so that nothing needs to be measured.
	 * @return true for {@link #none()}
	 */
	default boolean isNone() {
		return this == NoMetrics.INSTANCE;
	}

	/**
	 * Returns metrics that record nothing.
	 * @return the no-op
	 */
	static RpcMetrics none() {
		return NoMetrics.INSTANCE;
	}

	/**
	 * Returns metrics that report to several others. Metrics that throw are left out from
	 * then on, with one log line; the others and the engine continue.
	 * @param metrics any number of metrics
	 * @return {@link #none()} for an empty list, the element itself for one element
	 */
	static RpcMetrics all(List<? extends RpcMetrics> metrics) {
		return CompositeMetrics.of(metrics);
	}

}
