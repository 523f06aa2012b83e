package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.client.ReferenceInfo.State;

/**
 * An instance, combined from all references to its services.
 *
 * @param endpoint address of the instance
 * @param application its application, empty for a static address
 * @param services the services that this process calls there
 * @param state worst state of these services
 * @param connections established connections
 * @param pendingCalls calls that wait for a reply
 * @param problem why it takes no calls, empty if it takes calls
 * @since 0.1.0
 */
public record InstanceDescriptor(String endpoint, String application, List<String> services, State state,
		int connections, int pendingCalls, String problem) {

	/** Returns the short form for the list of instances. */
	public Line line() {
		return new Line(this.endpoint, this.application, this.services.size(), this.state, this.connections,
				this.pendingCalls, Formats.shortened(this.problem));
	}

	/**
	 * Short form of an instance in the list.
	 *
	 * @param endpoint address of the instance
	 * @param application its application, empty for a static address
	 * @param services number of services that this process calls there
	 * @param state worst state of these services
	 * @param connections established connections
	 * @param pendingCalls calls that wait for a reply
	 * @param problem why it takes no calls, at most 500 characters; empty if it takes
	 * calls
	 */
	public record Line(String endpoint, String application, int services, State state, int connections,
			int pendingCalls, String problem) {
	}

	/**
	 * The list of instances.
	 *
	 * @param instances at most 500, those that take no calls first
	 * @param leftOut number of omitted instances
	 */
	public record All(List<Line> instances, int leftOut) {
	}

}
