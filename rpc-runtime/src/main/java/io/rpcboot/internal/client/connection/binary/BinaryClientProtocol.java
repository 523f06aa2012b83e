package io.rpcboot.internal.client.connection.binary;

import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.transport.connection.Connection;

/**
 * Client side of the native protocol.
 *
 * @param client resources of its connections
 * @param security TLS and credentials of the connections
 * @param attachments encodes and decodes their attachments
 */
public record BinaryClientProtocol(ClientResources client, ConnectionSecurity security,
		BinaryAttachments attachments) implements ClientProtocol {

	public BinaryClientProtocol(ClientResources client, ConnectionSecurity security) {
		this(client, security, new BinaryAttachments(client.options().maxAttachments));
	}

	@Override
	public ClientConnection connect(Connection connection, ConnectionObserver owner) {
		return new BinaryClientConnection(connection, owner, this.client, this.security, this.attachments);
	}

}
