package io.rpcboot.internal.server.connection.http2;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.server.connection.ServerProtocol;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.runtime.ServerLibraries;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.http2.Http2Handler;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Server side of gRPC, Connect and gRPC-Web over HTTP/2.
 *
 * @param server resources of its connections
 * @param methods methods by their paths; null if the port does not speak this protocol
 * @param passing relay of the server, null if the server has methods
 */
public record Http2ServerProtocol(ServerResources server, @Nullable GrpcMethods methods,
		PassedRequests.@Nullable Passing passing) implements ServerProtocol {

	/** Creates the server side of what a server offers. */
	public Http2ServerProtocol(ServerResources server, @Nullable GrpcMethods methods) {
		this(server, methods, PassedRequests.among(server.services));
	}

	/** First bytes of the preface of a client (RFC 9113, section 3.4). */
	private static final int PREFACE = 0x50524920;

	/** Formats of requests that are passed on: the relay reads none of them. */
	private static final Set<ContentType> PASSED = EnumSet.complementOf(EnumSet.of(ContentType.OTHER));

	@Override
	public Set<Protocol> names() {
		return Set.of(Protocol.GRPC, Protocol.CONNECT, Protocol.GRPC_WEB);
	}

	@Override
	public String title() {
		return "gRPC over HTTP/2";
	}

	@Override
	public boolean begins(int first) {
		return first == PREFACE;
	}

	@Override
	public InboundHandler open(Connection connection) {
		GrpcMethods offered = Objects.requireNonNull(this.methods);
		Http2Output output = new Http2Output(connection.queue());
		PassedRequests.Passing to = this.passing;
		Http2ServerFrames frames = new Http2ServerConnection(connection, this.server,
				(calls) -> (to != null) ? new PassedRequests(calls, offered, to) : new GrpcRequests(calls, offered),
				"SETTINGS", output, new ResponseHeaders(output.writer), (to != null) ? PASSED : formats()).frames;
		return new Http2Handler(connection, frames, (chunk) -> Http2FrameReader.server(chunk,
				new RequestHeaderResolver(offered), frames.limits.headerList(), System::nanoTime, frames));
	}

	private Set<ContentType> formats() {
		Set<ContentType> formats = webFormats(this.server);
		if (this.server.options.protocols.contains(Protocol.GRPC)) {
			formats.add(ContentType.GRPC);
		}
		return formats;
	}

	/** Returns the formats of requests that a server takes from browsers. */
	public static Set<ContentType> webFormats(ServerResources server) {
		Set<ContentType> formats = EnumSet.noneOf(ContentType.class);
		if (server.options.protocols.contains(Protocol.CONNECT)) {
			formats.add(ContentType.PROTOBUF);
			formats.add(ContentType.PROTOBUF_STREAM);
			if (ServerLibraries.hasJson()) {
				formats.add(ContentType.JSON);
				formats.add(ContentType.JSON_STREAM);
			}
		}
		if (server.options.protocols.contains(Protocol.GRPC_WEB)) {
			formats.add(ContentType.GRPC_WEB);
			formats.add(ContentType.GRPC_WEB_TEXT);
		}
		return formats;
	}

}
