package io.rpcboot.internal.server.connection;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.protocol.Http1Text;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.text.Enumeration;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.detect.ProtocolDetector;
import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client whose protocol is not known yet. Counts as an open connection
 * and waits for the first bytes for the handshake timeout. Clients of other protocols
 * lose the connection; those that speak HTTP/1 get an answer. Event loop only, except the
 * methods of {@link ActiveConnection}.
 */
public final class AcceptedConnection implements ActiveConnection, ProtocolDetector.Listener {

	/** First bytes of headers of the PROXY protocol, versions 1 and 2. */
	private static final Set<Integer> PROXY_PROTOCOL = Set.of(0x50524f58, 0x0d0a0d0a);

	private static final String ONLY_HTTP_2 = "a relay passes on HTTP/2 alone";

	private final Connection connection;

	private final ServerResources server;

	private final List<ServerProtocol> protocols;

	private final @Nullable TlsContext tls;

	private @Nullable Future<?> timer;

	/** True if the client speaks TLS. */
	private boolean encrypted;

	private AcceptedConnection(Connection connection, ServerResources server, List<ServerProtocol> protocols,
			@Nullable TlsContext tls) {
		this.connection = connection;
		this.server = server;
		this.protocols = protocols;
		this.tls = tls;
	}

	/**
	 * Returns the handler of received bytes for a new connection.
	 * @param protocols all that this server knows; it speaks those of its options
	 * @param tls TLS of the port, below each protocol; null for clear text only
	 */
	public static InboundHandler open(Connection connection, ServerResources server, List<ServerProtocol> protocols,
			@Nullable TlsContext tls) {
		return new ProtocolDetector(connection, new AcceptedConnection(connection, server, protocols, tls));
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
					() -> closeWith((this.encrypted ? "no end of the TLS handshake" : "no bytes")
							+ " within rpc.server.handshake-timeout, which is " + this.server.options.handshakeTimeout),
					Options.nanos(this.server.options.handshakeTimeout), TimeUnit.NANOSECONDS);
	}

	@Override
	public @Nullable InboundHandler onDetected(int first) {
		ServerProtocol spoken = this.protocols.stream().filter((each) -> each.begins(first)).findFirst().orElse(null);
		if (PROXY_PROTOCOL.contains(first)) {
			closeWith("the client sends a header of the PROXY protocol (expected: none, unless its address is in"
					+ " rpc.server.proxy-protocol.from, and then once and of version 2)");
		}
		else if (needsTls() && Http1Text.begins(first)) {
			warn("the client speaks HTTP in clear text (expected: TLS, by rpc.server.ssl.mode=required)");
			this.connection.closeAfter(Http1Text.answer("400 Bad Request", "This port speaks TLS: use https://."));
		}
		else if (needsTls()) {
			closeWith("the client speaks clear text (expected: TLS, by rpc.server.ssl.mode=required)");
		}
		else if (spoken != null && isOffered(spoken)) {
			end();
			return spoken.open(this.connection);
		}
		else if (spoken != null) {
			closeWith("the client speaks %s (expected: %s, %s)".formatted(spoken.title(), titles(),
					this.server.options.isRelay() ? ONLY_HTTP_2 : "by rpc.server.protocols"));
		}
		else if (Http1Text.begins(first)) {
			warn("the client speaks HTTP/1 (expected: %s)".formatted(titles()));
			this.connection.closeAfter(Http1Text.answer("505 HTTP Version Not Supported",
					"This port speaks %s, not HTTP/1; %s.".formatted(titles(),
							this.server.options.isRelay() ? ONLY_HTTP_2 : "rpc.server.protocols would need connect")));
		}
		else {
			closeWith(
					"the client speaks another protocol: first bytes 0x%08x (expected: %s)".formatted(first, titles()));
		}
		return null;
	}

	private boolean isOffered(ServerProtocol protocol) {
		return !Collections.disjoint(this.server.options.protocols, protocol.names());
	}

	/** Returns what the port speaks, for messages. */
	private String titles() {
		return Enumeration.and(this.protocols.stream().filter(this::isOffered).map(ServerProtocol::title).toList());
	}

	/** Returns true for clear text at a port that requires TLS. */
	private boolean needsTls() {
		return this.tls != null && !this.encrypted && this.tls.options().mode() == TlsOptions.Mode.REQUIRED;
	}

	@Override
	public @Nullable TlsContext onTls() {
		if (this.tls == null) {
			closeWith("the client speaks TLS (expected: clear text, without rpc.server.ssl.bundle)");
			return null;
		}
		this.encrypted = true;
		return this.tls;
	}

	@Override
	public void onTlsFailed(String why) {
		closeWith(why);
	}

	private void closeWith(String why) {
		warn(why);
		this.connection.close();
	}

	/** Logs a fault of the client, one line a second for all clients. */
	private void warn(String why) {
		this.server.log.warn("Connection closed", () -> this.connection + ": " + why);
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
	public void renewTls(long minAgeNanos, long afterNanos) {
		// the handshake is not complete, so the connection is young
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
		return this.connection.describe(ConnectionNotifier.identity(null), "", this.server.options.batching.mode(),
				new CallTotals(0, 0, 0, 0, 0, 0, 0));
	}

}
