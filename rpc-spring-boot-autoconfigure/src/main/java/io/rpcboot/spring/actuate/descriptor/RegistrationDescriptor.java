package io.rpcboot.spring.actuate.descriptor;

import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerState;

/**
 * State of the server after an operation.
 *
 * @param state whether the server takes calls
 * @param weight share of calls in relation to other instances
 * @param reason who requested the state, empty if no operator did
 * @param since when an operator requested the state, in milliseconds since 1970
 * @param location location in the registry, empty if not registered yet
 * @param inFlightCalls calls that run or wait for a thread
 * @param connections number of open connections
 * @since 0.1.0
 */
public record RegistrationDescriptor(ServerState state, int weight, String reason, long since, String location,
		int inFlightCalls, int connections) {
}
