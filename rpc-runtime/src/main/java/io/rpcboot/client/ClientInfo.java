package io.rpcboot.client;

import java.time.Duration;

import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;

/**
 * Settings of a client that dashboards show.
 *
 * @param transport transport in use; never {@code AUTO}
 * @param protocol default protocol of references
 * @param serializer name of the default serializer of references
 * @param maxPendingCalls limit of pending calls
 * @param timeout default timeout of a call
 * @param waitForInstance default time that a call waits for an instance
 * @since 0.1.0
 */
public record ClientInfo(EventLoopOptions.Transport transport, Protocol protocol, String serializer,
		int maxPendingCalls, Duration timeout, Duration waitForInstance) {
}
