package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.client.ReferenceInfo.State;

/**
 * An instance that this process knows, over all references.
 *
 * @param endpoint where it listens
 * @param application its application, empty for a static address
 * @param services the services that are called there
 * @param state whether it takes calls: the worst of its services
 * @param connections established connections
 * @param pendingCalls calls waiting for its reply
 * @param problem why it takes no calls, empty if it does
 */
public record InstanceDescriptor(String endpoint, String application, List<String> services, State state,
		int connections, int pendingCalls, String problem) {

	/** The same, as one of many. */
	public Line line() {
		return new Line(this.endpoint, this.application, this.services.size(), this.state, this.connections,
				this.pendingCalls, Formats.shortened(this.problem));
	}

	/**
	 * One of many.
	 *
	 * @param endpoint where it listens
	 * @param application its application, empty for a static address
	 * @param services the number of services that are called there
	 * @param state whether it takes calls: the worst of its services
	 * @param connections established connections
	 * @param pendingCalls calls waiting for its reply
	 * @param problem why it takes no calls, shortened if it is long; empty if it does
	 */
	public record Line(String endpoint, String application, int services, State state, int connections,
			int pendingCalls, String problem) {
	}

	/**
	 * All of them.
	 *
	 * @param instances those that take no calls first, 500 at most
	 * @param leftOut those that there are beside
	 */
	public record All(List<Line> instances, int leftOut) {
	}

}
