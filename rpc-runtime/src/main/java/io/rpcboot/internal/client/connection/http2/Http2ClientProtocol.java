package io.rpcboot.internal.client.connection.http2;

import java.util.List;
import java.util.function.Function;

import io.rpcboot.internal.client.call.AttachmentsEncoder;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ClientProtocol;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.connection.ContractComparisons;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.transport.connection.Connection;

/**
 * Client side of gRPC over HTTP/2.
 *
 * @param client resources of its connections
 * @param security TLS and credentials of the connections
 * @param paths returns the paths of the methods of a service, by their numbers
 * @param contracts contracts of its servers
 */
public record Http2ClientProtocol(ClientResources client, ConnectionSecurity security,
		Function<ServiceBinding, List<String>> paths, ContractComparisons contracts) implements ClientProtocol {

	/**
	 * Creates the protocol.
	 * @param paths returns the paths of the methods of a service, by their numbers
	 */
	public Http2ClientProtocol(ClientResources client, ConnectionSecurity security,
			Function<ServiceBinding, List<String>> paths) {
		this(client, security, paths, new ContractComparisons(client));
	}

	@Override
	public AttachmentsEncoder attachments() {
		return new MetadataEncoder(this.client.options().maxAttachments);
	}

	@Override
	public ClientConnection connect(Connection connection, ConnectionObserver owner) {
		return new Http2ClientConnection(connection, owner, this.client, this.security, this.paths, this.contracts);
	}

}
