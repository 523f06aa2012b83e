package io.rpcboot.spring.actuate.descriptor;

import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo.State;
import org.jspecify.annotations.Nullable;

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
 * @param slowness how it is slower than the other instances, empty if it is not
 * @param id its id in the registry, empty for a static address
 * @param weight its share of the calls in relation to other instances
 * @param zone its zone, empty if unknown
 * @param tag tag of the calls that it takes, empty for calls without a tag
 * @param startedAt its start in milliseconds since 1970, 0 if unknown
 * @param calls recent calls of all services there, null before they are counted
 * @param callsByService the same by service
 * @since 0.1.0
 */
public record InstanceDescriptor(String endpoint, String application, List<String> services, State state,
		int connections, int pendingCalls, String problem, String slowness, String id, int weight, String zone,
		String tag, long startedAt, @Nullable CallsAtInstanceDescriptor calls,
		Map<String, CallsAtInstanceDescriptor> callsByService) {

	/** Returns the short form for the list of instances. */
	public Line line() {
		return new Line(this.endpoint, this.application, this.services.size(), this.state, this.connections,
				this.pendingCalls, Formats.shortened(this.problem.isEmpty() ? this.slowness : this.problem),
				this.weight, this.tag, this.calls);
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
	 * @param problem why it takes no calls, or how it is slow, at most 500 characters;
	 * else empty
	 * @param weight its share of the calls in relation to other instances
	 * @param tag tag of the calls that it takes, empty for calls without a tag
	 * @param calls recent calls, null before they are counted
	 */
	public record Line(String endpoint, String application, int services, State state, int connections,
			int pendingCalls, String problem, int weight, String tag, @Nullable CallsAtInstanceDescriptor calls) {
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
