package io.rpcboot.spring.actuate.descriptor;

import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerState;

/**
 * What an operation has made of the server.
 *
 * @param state whether it takes calls
 * @param weight its share of the calls in relation to other instances
 * @param reason who asked for the state, empty if nobody has
 * @param since when the state that operators want began, in milliseconds since 1970
 * @param location where the registry holds it, empty when not registered or not yet
 * @param inFlightCalls calls that execute or wait for a thread
 * @param connections the number of open connections
 */
public record RegistrationDescriptor(ServerState state, int weight, String reason, long since, String location,
		int inFlightCalls, int connections) {
}
