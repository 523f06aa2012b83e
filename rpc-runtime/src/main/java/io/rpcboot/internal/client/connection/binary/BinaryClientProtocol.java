package io.rpcboot.internal.client.connection.binary;

import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.tls.TlsContext;
import org.jspecify.annotations.Nullable;

/**
 * Client side of the native protocol.
 *
 * @param client resources of its connections
 * @param tls TLS of the connections, null for clear text
 * @param attachments encodes and decodes their attachments
 */
public record BinaryClientProtocol(ClientResources client, @Nullable TlsContext tls,
		BinaryAttachments attachments) implements ClientProtocol {

	public BinaryClientProtocol(ClientResources client, @Nullable TlsContext tls) {
		this(client, tls, new BinaryAttachments(client.options().maxAttachments));
	}

	@Override
	public ClientConnection connect(Connection connection, ConnectionObserver owner) {
		return new BinaryClientConnection(connection, owner, this.client, this.attachments);
	}

}
