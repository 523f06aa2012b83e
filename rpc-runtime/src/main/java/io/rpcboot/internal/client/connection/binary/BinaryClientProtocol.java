package io.rpcboot.internal.client.connection.binary;

import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.transport.connection.Connection;

/**
 * Client side of the native protocol.
 *
 * @param client resources of its connections
 */
public record BinaryClientProtocol(ClientResources client) implements ClientProtocol {

	@Override
	public ClientConnection connect(Connection connection, ConnectionObserver owner) {
		return new BinaryClientConnection(connection, owner, this.client);
	}

}
