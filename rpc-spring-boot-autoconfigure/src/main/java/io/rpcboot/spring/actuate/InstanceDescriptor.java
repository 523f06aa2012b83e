package io.rpcboot.spring.actuate;

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

	/**
	 * All of them.
	 *
	 * @param instances those that take no calls first
	 */
	public record All(List<InstanceDescriptor> instances) {
	}

}
