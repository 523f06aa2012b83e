package io.rpcboot.client;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a reference for dashboards and health checks. Immutable.
 *
 * @param service the called service
 * @param protocol protocol of the calls
 * @param source origin of its instances: the description of the registry, or
 * {@code static addresses}
 * @param sourceKind {@linkplain io.rpcboot.registry.Registry#kind() kind} of the
 * registry, or {@code static}
 * @param isResolved true once the registry has named the instances, and for fixed
 * addresses
 * @param instances known instances
 * @param waitingCalls calls that wait for a connection to an instance
 * @param retries retry budget; null if no call of the reference uses one
 * @since 0.1.0
 */
public record ReferenceInfo(ServiceId service, Protocol protocol, String source, String sourceKind, boolean isResolved,
		List<Instance> instances, int waitingCalls, @Nullable Retries retries) {

	/** Instances in {@link #state()}, which exceptions, health and the log contain. */
	private static final int MAX_IN_STATE = 5;

	/** State of an instance. */
	public enum State {

		/** Its first connection is being opened. */
		CONNECTING,
		/** It takes calls, except of methods that {@link Instance#problem} names. */
		READY,
		/**
		 * It has pending calls and sends nothing, not even a reply to a probe. It gets
		 * calls only if no instance is ready.
		 */
		FROZEN,
		/**
		 * An outlier: its calls fail, hang or are slow, and those of other instances are
		 * not. It gets trial calls only.
		 */
		EJECTED,
		/** It is shutting down and takes no new calls. */
		DRAINING,
		/** It could not be reached; the next attempt to connect waits. */
		BACKING_OFF,
		/** It serves a contract with which no method is compatible. */
		INCOMPATIBLE

	}

	/**
	 * Retry budget of a reference, which retries and hedges share.
	 *
	 * @param left retries that are allowed now; 0 if the next one is denied
	 * @param most retries that would be allowed with an unused budget at the present rate
	 * of calls
	 */
	public record Retries(int left, int most) {
	}

	/**
	 * Instance of the service.
	 *
	 * @param endpoint address of the instance
	 * @param application its application, empty for a static address
	 * @param id its id in the registry, empty for a static address
	 * @param state its state
	 * @param connections established connections
	 * @param pendingCalls calls that wait for its reply
	 * @param problem reason why it takes no calls, or the methods that it refuses; else
	 * empty
	 * @param slowness how it is slower than the other instances, although it takes calls;
	 * else empty
	 * @param weight its share of the calls in relation to other instances
	 * @param zone its zone, empty if unknown
	 * @param tag tag of the calls that it takes, empty for calls without a tag
	 * @param startedAtMillis its start in milliseconds since 1970, 0 if unknown
	 * @param calls its recent calls; null before they are counted, see
	 * {@link RpcClient#references()}
	 */
	public record Instance(Endpoint endpoint, String application, String id, State state, int connections,
			int pendingCalls, String problem, String slowness, int weight, String zone, String tag,
			long startedAtMillis, @Nullable Calls calls) {

		/**
		 * Creates an instance of which only the connections are known.
		 * @param endpoint address of the instance
		 * @param application its application, empty for a static address
		 * @param id its id in the registry, empty for a static address
		 * @param state its state
		 * @param connections established connections
		 * @param pendingCalls calls that wait for its reply
		 * @param problem reason why it takes no calls, or the methods that it refuses;
		 * else empty
		 */
		public Instance(Endpoint endpoint, String application, String id, State state, int connections,
				int pendingCalls, String problem) {
			this(endpoint, application, id, state, connections, pendingCalls, problem, "",
					ServiceInstance.DEFAULT_WEIGHT, "", "", 0, null);
		}

	}

	/**
	 * Calls of the reference at an instance that have ended in the last 30 to 60 seconds.
	 * Calls that were not sent and one-way calls are not counted.
	 *
	 * @param ended number of calls
	 * @param perSecond calls per second
	 * @param p50Nanos median latency in nanoseconds, with an error of at most 9 %; 0
	 * without calls. Retried calls have no latency
	 * @param p99Nanos 99th percentile of the same
	 * @param failures number of failed calls by status: any status but OK and DECLARED
	 */
	public record Calls(long ended, double perSecond, long p50Nanos, long p99Nanos, Map<RpcStatus, Long> failures) {

		public Calls {
			failures = Collections.unmodifiableMap(new TreeMap<>(failures));
		}

	}

	/**
	 * Returns true if the reference is not ready, but its first attempt is pending: the
	 * registry has not named instances yet, or a first connection is being opened.
	 * @return false if it is ready, or if every attempt has failed
	 */
	public boolean isConnecting() {
		return !isReady() && (!this.isResolved
				|| this.instances.stream().anyMatch((instance) -> instance.state() == State.CONNECTING));
	}

	/**
	 * Describes the instances in a message.
	 * @return for example {@code 10.0.0.5:9090 is BACKING_OFF (cannot connect)}, with
	 * {@code and 195 more} at its end after the first five
	 */
	public String state() {
		if (this.instances.isEmpty()) {
			return "no instance of it is known to " + this.source;
		}
		String first = this.instances.stream()
			.limit(MAX_IN_STATE)
			.map((instance) -> instance.endpoint() + " is " + instance.state()
					+ (instance.problem().isEmpty() ? "" : " (" + instance.problem() + ")"))
			.collect(Collectors.joining(", "));
		int left = this.instances.size() - MAX_IN_STATE;
		return (left > 0) ? first + " and " + left + " more" : first;
	}

	/**
	 * Returns true if a call would find an instance now.
	 * @return true if an instance is ready or ejected; an ejected one takes calls if no
	 * other does
	 */
	public boolean isReady() {
		return this.instances.stream()
			.anyMatch((instance) -> instance.state() == State.READY || instance.state() == State.EJECTED);
	}

}
