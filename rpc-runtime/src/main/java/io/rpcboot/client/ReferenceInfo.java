package io.rpcboot.client;

import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * A reference as it stands now, for people and dashboards.
 *
 * @param service the service
 * @param source where its instances come from: the registry's description or
 * {@code static addresses}
 * @param sourceKind {@link io.rpcboot.registry.Registry#kind() kind} of that registry, or
 * {@code static}
 * @param isResolved whether the registry has said which instances there are; true for
 * fixed addresses
 * @param instances the known instances
 * @param waitingCalls calls that wait for an instance with a grant and room in its socket
 * @param retries how many of its calls may be made once more; null if none is
 */
public record ReferenceInfo(ServiceId service, String source, String sourceKind, boolean isResolved,
		List<Instance> instances, int waitingCalls, @Nullable Retries retries) {

	/** Failures, health and the log have the text: it is short whatever is deployed. */
	private static final int IN_STATE = 5;

	/** Whether an instance takes calls. */
	public enum State {

		/** Its first connection is being opened. */
		CONNECTING,
		/** It takes calls, unless of methods that the problem names. */
		READY,
		/**
		 * It owes answers and sends nothing, not even to a probe: calls go there only
		 * where no instance is ready.
		 */
		FROZEN,
		/**
		 * Its calls fail, hang or are slow while those of other instances do not: a call
		 * goes there now and then to see whether that is over.
		 */
		EJECTED,
		/** It is shutting down and takes no new calls. */
		DRAINING,
		/** It could not be reached; the next attempt waits. */
		BACKING_OFF,
		/** It serves another version of the interface, of which nothing fits. */
		INCOMPATIBLE

	}

	/**
	 * The budget for calls that are made once more, or sent to a second instance.
	 *
	 * @param left as many may be now; 0 if the next one is denied
	 * @param most as many may be when nothing of it is used, as calls go now
	 */
	public record Retries(int left, int most) {
	}

	/**
	 * One instance.
	 *
	 * @param endpoint where it listens
	 * @param application its application, empty for a static address
	 * @param id its id, empty for a static address
	 * @param state whether it takes calls
	 * @param connections established connections
	 * @param pendingCalls calls waiting for its reply
	 * @param problem why it takes no calls, or which methods it refuses; else empty
	 */
	public record Instance(Endpoint endpoint, String application, String id, State state, int connections,
			int pendingCalls, String problem) {
	}

	/**
	 * Whether it may be ready in a moment: it is not yet, but the registry has not spoken
	 * or a first connection is being opened.
	 * @return false if it is ready, or waits for something that has failed before
	 */
	public boolean isConnecting() {
		return !isReady() && (!this.isResolved
				|| this.instances.stream().anyMatch((instance) -> instance.state() == State.CONNECTING));
	}

	/**
	 * Why it is not ready, or which instances it has, for people.
	 * @return for example {@code 10.0.0.5:9090 is BACKING_OFF (cannot connect)}, with
	 * {@code and 195 more} at its end after the first five
	 */
	public String state() {
		if (this.instances.isEmpty()) {
			return "no instance of it is known to " + this.source;
		}
		String first = this.instances.stream()
			.limit(IN_STATE)
			.map((instance) -> instance.endpoint() + " is " + instance.state()
					+ (instance.problem().isEmpty() ? "" : " (" + instance.problem() + ")"))
			.collect(Collectors.joining(", "));
		int left = this.instances.size() - IN_STATE;
		return (left > 0) ? first + " and " + left + " more" : first;
	}

	/**
	 * Whether a call would find an instance now.
	 * @return true if one is ready, or ejected: where no other is, that takes the calls
	 */
	public boolean isReady() {
		return this.instances.stream()
			.anyMatch((instance) -> instance.state() == State.READY || instance.state() == State.EJECTED);
	}

}
