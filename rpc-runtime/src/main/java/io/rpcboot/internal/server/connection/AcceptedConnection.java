package io.rpcboot.internal.server.connection;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.rpcboot.internal.protocol.binary.Preface;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.detect.ProtocolDetector;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client whose protocol is not known yet. Counts as an open connection
 * and waits for the first bytes for the handshake timeout. Clients of other protocols
 * lose the connection; those that speak HTTP/1 get an answer. Event loop only, except the
 * methods of {@link ActiveConnection}.
 */
public final class AcceptedConnection implements ActiveConnection, ProtocolDetector.Listener {

	/** First byte of a TLS record of a handshake. */
	private static final int TLS_HANDSHAKE = 0x16;

	/** First bytes of the preface of HTTP/2. */
	private static final int HTTP_2 = 0x50524920;

	private static final String TEXT = "This port speaks the RPC protocol of its own, not HTTP.\n";

	private static final byte[] HTTP_1_ANSWER = ("HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Type: text/plain\r\n"
			+ "Content-Length: " + TEXT.length() + "\r\nConnection: close\r\n\r\n" + TEXT)
		.getBytes(StandardCharsets.US_ASCII);

	private final Connection connection;

	private final ServerResources server;

	private final Function<Connection, InboundHandler> binary;

	private @Nullable Future<?> timer;

	private AcceptedConnection(Connection connection, ServerResources server,
			Function<Connection, InboundHandler> binary) {
		this.connection = connection;
		this.server = server;
		this.binary = binary;
	}

	/**
	 * Returns the handler of received bytes for a new connection.
	 * @param binary creates the handler of the native protocol
	 */
	public static InboundHandler open(Connection connection, ServerResources server,
			Function<Connection, InboundHandler> binary) {
		return new ProtocolDetector(connection, new AcceptedConnection(connection, server, binary));
	}

	@Override
	public void onOpen() {
		if (this.server.connections.size() >= this.server.options.maxConnections) {
			this.server.log.warn("Connection refused",
					this.connection + ": rpc.server.limits.connections: %d are open already"
						.formatted(this.server.options.maxConnections));
			this.connection.close();
			return;
		}
		this.server.connections.add(this);
		this.timer = this.connection.loop()
			.schedule(
					() -> closeWith("no bytes within rpc.server.handshake-timeout, which is "
							+ this.server.options.handshakeTimeout),
					Options.nanos(this.server.options.handshakeTimeout), TimeUnit.NANOSECONDS);
	}

	@Override
	public @Nullable InboundHandler onDetected(int first) {
		if (Preface.begins(first)) {
			end();
			return this.binary.apply(this.connection);
		}
		int firstByte = first >>> 24;
		if (first == HTTP_2) {
			closeWith("the client speaks HTTP/2, as gRPC does (expected: the RPC protocol)");
		}
		else if (firstByte == TLS_HANDSHAKE) {
			closeWith("the client speaks TLS (expected: clear text)");
		}
		else if (firstByte >= 'A' && firstByte <= 'Z') {
			warn("the client speaks HTTP/1 (expected: the RPC protocol)");
			this.connection.closeAfter(HTTP_1_ANSWER);
		}
		else {
			closeWith("the client speaks another protocol: first bytes 0x%08x (expected: 0x%08x)".formatted(first,
					Preface.MAGIC));
		}
		return null;
	}

	private void closeWith(String why) {
		warn(why);
		this.connection.close();
	}

	/** Logs a fault of the client, one line a second for all clients. */
	private void warn(String why) {
		this.server.log.warn("Connection closed", this.connection + ": " + why);
	}

	@Override
	public void onClosed() {
		end();
	}

	private void end() {
		this.server.connections.remove(this);
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

	@Override
	public CompletableFuture<Void> goAway() {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void halfClose() {
		this.connection.halfClose();
	}

	@Override
	public void relieve(int tick) {
		// has no memory of responses
	}

	@Override
	public ConnectionInfo describe() {
		return this.connection.describe("", this.server.options.batching.mode(), new CallTotals(0, 0, 0, 0, 0, 0, 0));
	}

}
