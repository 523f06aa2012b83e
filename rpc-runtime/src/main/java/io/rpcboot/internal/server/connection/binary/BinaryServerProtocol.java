package io.rpcboot.internal.server.connection.binary;

import java.util.Set;

import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.server.connection.ServerProtocol;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.binary.FrameDecoder;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.transport.Protocol;

/**
 * Server side of the native protocol.
 *
 * @param server resources of its connections
 */
public record BinaryServerProtocol(ServerResources server) implements ServerProtocol {

	@Override
	public Set<Protocol> names() {
		return Set.of(Protocol.NATIVE);
	}

	@Override
	public String title() {
		return "the RPC protocol";
	}

	@Override
	public boolean begins(int first) {
		return Preface.begins(first);
	}

	@Override
	public InboundHandler open(Connection connection) {
		return new FrameDecoder(this.server.options.maxFrameSize, connection,
				new BinaryServerConnection(connection, this.server));
	}

}
