package io.rpcboot.internal.client.connection;

import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.transport.connection.Connection;

/** Client side of a protocol. Any thread. */
public interface ClientProtocol {

	/** Returns TLS and credentials of its connections. */
	ConnectionSecurity security();

	/** Returns the encoder of the attachments of its requests. */
	AttachmentsEncoder attachments();

	/**
	 * Creates the client side of a connection whose channel is open.
	 * @param owner receives the events of the connection
	 */
	ClientConnection connect(Connection connection, ConnectionObserver owner);

}
