package io.rpcboot.internal.client.connection.binary;

import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.transport.connection.Connection;

/** Client side of the native protocol. */
public final class BinaryClientProtocol implements ClientProtocol {

	private final ClientResources client;

	private final BinaryAttachments attachments;

	/**
	 * Creates the protocol.
	 * @param client resources of its connections
	 */
	public BinaryClientProtocol(ClientResources client) {
		this.client = client;
		this.attachments = new BinaryAttachments(client.options().maxAttachments);
	}

	@Override
	public AttachmentsEncoder attachments() {
		return this.attachments;
	}

	@Override
	public ClientConnection connect(Connection connection, ConnectionObserver owner) {
		return new BinaryClientConnection(connection, owner, this.client, this.attachments);
	}

}
