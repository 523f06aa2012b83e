package io.rpcboot.internal.client.connection;

import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.tls.TlsContext;
import org.jspecify.annotations.Nullable;

/** Client side of a protocol. Any thread. */
public interface ClientProtocol {

	/** Returns TLS of its connections, null for clear text. */
	@Nullable TlsContext tls();

	/** Returns the encoder of the attachments of its requests. */
	AttachmentsEncoder attachments();

	/**
	 * Creates the client side of a connection whose channel is open.
	 * @param owner receives the events of the connection
	 */
	ClientConnection connect(Connection connection, ConnectionObserver owner);

}
