package io.rpcboot.internal.server.connection.http1;

import java.util.Objects;
import java.util.Set;

import io.rpcboot.internal.protocol.Http1Text;
import io.rpcboot.internal.server.connection.ServerProtocol;
import io.rpcboot.internal.server.connection.http2.GrpcRequests;
import io.rpcboot.internal.server.connection.http2.Http2ServerConnection;
import io.rpcboot.internal.server.connection.http2.Http2ServerProtocol;
import io.rpcboot.internal.server.connection.http2.RequestHeaderResolver;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.http1.Http1Handler;
import io.rpcboot.internal.transport.http1.Http1Writer;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Server side of Connect and gRPC-Web over HTTP/1.1.
 *
 * @param server resources of its connections
 * @param methods methods by their paths; null if the port does not speak this protocol
 */
public record Http1ServerProtocol(ServerResources server, @Nullable GrpcMethods methods) implements ServerProtocol {

	/**
	 * Bytes of responses between the engine and the socket, beside those in its buffer.
	 */
	private static final int WINDOW = 256 * 1024;

	@Override
	public Set<Protocol> names() {
		return Set.of(Protocol.CONNECT, Protocol.GRPC_WEB);
	}

	@Override
	public String title() {
		return "HTTP/1.1";
	}

	@Override
	public boolean begins(int first) {
		return Http1Text.begins(first);
	}

	@Override
	public InboundHandler open(Connection connection) {
		GrpcMethods offered = Objects.requireNonNull(this.methods);
		Http1Writer writer = new Http1Writer();
		Http2Output output = new Http2Output(connection.queue(), writer);
		output.onWindowUpdate(WINDOW - output.window());
		Http2ServerConnection calls = new Http2ServerConnection(connection, this.server,
				(made) -> new GrpcRequests(made, offered), "a request", output, new Http1ResponseHeaders(writer),
				Http2ServerProtocol.webFormats(this.server));
		Http1Handler handler = new Http1Handler(connection, new Http1Connection(calls),
				new RequestHeaderResolver(offered));
		writer.follow(handler);
		return handler;
	}

}
