package io.rpcboot.client;

import java.time.Duration;

import io.rpcboot.transport.EventLoopOptions;

/**
 * How a client was set up, for people and dashboards.
 *
 * @param transport how its sockets are served; never {@code AUTO}
 * @param serializer name of the serializer of references that have none of their own
 * @param maxPendingCalls most calls under way
 * @param timeout time allowed for a call, unless its reference or method says otherwise
 * @param waitForInstance how long a call waits for an instance, unless its reference says
 * otherwise
 */
public record ClientInfo(EventLoopOptions.Transport transport, String serializer, int maxPendingCalls, Duration timeout,
		Duration waitForInstance) {
}
