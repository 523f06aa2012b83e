package io.rpcboot.client;

import io.rpcboot.transport.EventLoopOptions;

/**
 * How a client was set up, for people and dashboards.
 *
 * @param transport how its sockets are served; never {@code AUTO}
 * @param serializer name of the serializer of references that have none of their own
 * @param maxPendingCalls most calls under way
 */
public record ClientInfo(EventLoopOptions.Transport transport, String serializer, int maxPendingCalls) {
}
