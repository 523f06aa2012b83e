package io.rpcboot.client;

import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;

/**
 * A reference as it stands now, for people and dashboards.
 *
 * @param service the service
 * @param source where its instances come from: the registry's description or
 * {@code static}
 * @param instances the known instances
 * @param waitingCalls calls that wait for an instance
 */
public record ReferenceInfo(ServiceId service, String source, List<Instance> instances, int waitingCalls) {

	/** Whether an instance takes calls. */
	public enum State {

		/** Its first connection is being opened. */
		CONNECTING,
		/** It takes calls, unless of methods that the problem names. */
		READY,
		/** It is shutting down and takes no new calls. */
		DRAINING,
		/** It could not be reached; the next attempt waits. */
		BACKING_OFF,
		/** It serves another version of the interface, of which nothing fits. */
		INCOMPATIBLE

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
	 * Whether a call would find an instance now.
	 * @return true if one is ready
	 */
	public boolean isReady() {
		return this.instances.stream().anyMatch((instance) -> instance.state() == State.READY);
	}

}
