package io.rpcboot.internal.server.connection;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Hello;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerCallSlowPath;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.internal.transport.frame.ControlFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * What a server's connection does beside its calls: introduction, bindings, probes,
 * refusals, going away. Event loop only, but for what says otherwise.
 */
final class ServerProtocolHandler implements ServerConnectionProtocol, ActiveConnection, MaxConnectionAge.Old {

	private static final String OLD = "the connection is as old as it may become; the server goes on";

	/** Answers to PING that wait for the socket. */
	private static final int MAX_UNWRITTEN_PONGS = 64;

	private final Connection connection;

	private final ServerConnectionBase calls;

	private final ServerResources server;

	private final CallWindow grant;

	private final IdleMonitor lifeSigns;

	private final MaxConnectionAge age;

	private final ServerServiceBindings bindings;

	private final ServerFlowControl flow;

	private boolean helloSeen;

	private int unwrittenPongs;

	/** The other side was told that it has no business here. */
	private boolean refused;

	/** The name that the client gave itself. */
	private String application = "";

	/** Null until the handshake is done. */
	private @Nullable ConnectionNotifier listened;

	ServerProtocolHandler(Connection connection, ServerConnectionBase calls, ServerResources server) {
		this.connection = connection;
		this.calls = calls;
		this.grant = calls.grant();
		this.server = server;
		this.bindings = new ServerServiceBindings(connection, calls, server);
		this.flow = new ServerFlowControl(connection, calls, calls.refusals, calls.grant(), server.options);
		this.lifeSigns = new IdleMonitor(connection, server.options, this::isBusy, this.flow::heldBackReplies,
				calls.replies::yieldUnused, calls::closeWithError);
		this.age = new MaxConnectionAge(this, connection.loop(), Options.nanos(server.options.connectionAge),
				Options.nanos(server.options.connectionAgeGrace), System::nanoTime);
	}

	@Override
	public void onOpen() {
		if (this.server.connections.size() >= this.server.options.maxConnections) {
			this.calls.warn("Connection refused",
					"limits.connections: %d are open already".formatted(this.server.options.maxConnections));
			this.connection.close();
			return;
		}
		this.server.connections.add(this);
		this.connection.watchGaps();
		this.lifeSigns.awaitHello();
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] body) {
		if (this.refused) {
			return;
		}
		if (!this.helloSeen && type != FrameType.HELLO) {
			throw new ProtocolException("frame type %d before HELLO".formatted(type));
		}
		switch (type) {
			case FrameType.HELLO -> onHello(Hello.decode(body));
			case FrameType.BIND -> this.bindings.onBind(code, body);
			case FrameType.CONTRACT -> {
				this.flow.takeTable(body.length);
				this.bindings.onContract(code, body);
			}
			case FrameType.CANCEL -> cancel(callId);
			case FrameType.PING -> onPing(callId);
			case FrameType.WINDOW -> this.flow.onWindow(Window.decode(body), flags);
			case FrameType.NEED -> this.flow.onNeed(callId, this.bindings.hasAny());
			case FrameType.YIELD -> this.flow.onYield(callId);
			case FrameType.PONG -> {
			}
			default -> throw new ProtocolException("unexpected frame type %d".formatted(type));
		}
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		if (!this.calls.introduced) {
			throw new ProtocolException("a body of %d bytes before HELLO".formatted(length));
		}
		return this.flow.admits(type, callId, length);
	}

	private void onPing(long number) {
		this.lifeSigns.onPing();
		if (++this.unwrittenPongs > MAX_UNWRITTEN_PONGS) {
			throw new ProtocolException("too many PING frames whose answers are not read");
		}
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.PONG, 0, number, OutboundFrame.NOTHING, () -> this.unwrittenPongs--));
	}

	/**
	 * Once: what it takes would be a peer's to choose. Nobody waits for one-way calls.
	 */
	private void cancel(long callId) {
		ServerCall call = this.calls.find(callId);
		if (call == null) {
			this.bindings.cancel(callId);
		}
		else if (!call.cancelled && !call.oneWay) {
			ServerCallSlowPath.cancel(call);
			this.connection.queue().blocked.unblock(call);
		}
	}

	private void onHello(Hello hello) {
		if (this.helloSeen) {
			throw new ProtocolException("a second HELLO");
		}
		this.helloSeen = true;
		this.application = hello.application();
		this.connection.ready(hello.takesPlaces());
		this.server.recorder.connectionOpened(this.connection.remote(), this.application, this.connection.ageNanos());
		this.lifeSigns.watch();
		List<String> accepted = this.server.services.serializers();
		if (Collections.disjoint(accepted, hello.serializers())) {
			String message = ("serializer: the client uses %s (expected: one of %s, which this server accepts);"
					+ " add it to serializers of the server, or let the client use one of these")
				.formatted(ServiceTable.quoted(hello.serializers()), ServiceTable.quoted(accepted));
			this.calls.warn("Connection closed", message);
			this.refused = true;
			this.calls.admitNone();
			sendGoAway(RpcStatus.FAILED_PRECONDITION, 0, message, null);
			this.calls.closeAfterFlush();
			return;
		}
		send(FrameType.HELLO, 0, 0, new Hello(this.server.options.maxFrameSize, accepted,
				this.server.options.applicationName, this.server.options.maxAttachments, true)
			.encode());
		if (this.server.isDraining) {
			this.calls.admitNone();
			sendGoAway(RpcStatus.UNAVAILABLE, 0, this.server.whyGoAway, null);
			return;
		}
		this.listened = ConnectionNotifier.connected(this.server.options.connectionListeners, this.server.listeners,
				Side.SERVER, this.connection.remote(), hello.application());
		this.calls.clientTakesAttachments = hello.maxAttachments();
		this.calls.admitCalls(Math.min(this.server.options.maxFrameSize, hello.maxFrameSize()));
		this.age.begins(ThreadLocalRandom.current()::nextDouble);
	}

	private void send(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, callId, body));
	}

	@Override
	public CompletableFuture<Void> goAway() {
		CompletableFuture<Void> told = new CompletableFuture<>();
		boolean alive = this.connection.execute(() -> {
			if (!this.helloSeen || this.calls.closed || this.calls.goingAway) {
				told.complete(null);
				return;
			}
			sendGoAway(RpcStatus.UNAVAILABLE, this.calls.goAway(), this.server.whyGoAway, () -> told.complete(null));
		});
		if (!alive) {
			told.complete(null);
		}
		return told;
	}

	@Override
	public boolean mayBeReplaced() {
		return this.server.connections.size() < this.server.options.maxConnections;
	}

	@Override
	public boolean isLeaving() {
		return this.calls.goingAway;
	}

	@Override
	public boolean isBusy() {
		return this.calls.isBusy() || this.bindings.heldCalls() > 0;
	}

	@Override
	public long lastCall() {
		return this.calls.lastId;
	}

	@Override
	public void requestReplacement() {
		sendGoAway(RpcStatus.OK, Long.MAX_VALUE, OLD, null);
	}

	@Override
	public void announceGoAway() {
		sendGoAway(RpcStatus.OK, this.calls.goAway(), OLD, null);
	}

	@Override
	public void closeGracefully() {
		this.calls.closeAfterFlush();
	}

	@Override
	public void end(String why) {
		this.calls.closeWithError(why);
	}

	private void sendGoAway(RpcStatus status, long lastServed, String reason, @Nullable Runnable afterwards) {
		this.connection.goesAway();
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.GO_AWAY, status.code(), lastServed,
					reason.getBytes(StandardCharsets.UTF_8), afterwards));
	}

	/** Whatever fails on the way, the memory is free and the connection is gone. */
	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.calls.closed = true;
		this.server.connections.remove(this);
		if (this.age.isOld()) {
			this.server.counts.aged.increment();
		}
		try {
			this.lifeSigns.stop();
			this.age.stop();
			this.flow.stop();
			this.calls.abandonCalls();
		}
		finally {
			try {
				this.bindings.onClosed();
			}
			finally {
				this.grant.close();
			}
		}
		tellClosed(cause);
	}

	private void tellClosed(@Nullable Throwable cause) {
		String why = whyClosed(cause);
		if (this.helloSeen) {
			this.server.recorder.connectionClosed(this.connection.remote(), this.application, why,
					this.connection.ageNanos());
		}
		if (cause instanceof ProtocolException) {
			this.calls.warn("Connection closed", String.valueOf(cause.getMessage()));
		}
		if (this.listened != null) {
			this.listened.closed(why);
		}
	}

	@Override
	public @Nullable RpcConnection listened() {
		return this.listened;
	}

	private String whyClosed(@Nullable Throwable cause) {
		if (this.calls.problem != null) {
			return this.calls.problem;
		}
		if (cause != null) {
			return String.valueOf(cause.getMessage());
		}
		if (this.age.isOld()) {
			return OLD;
		}
		return this.server.isDraining ? this.server.whyGoAway : "closed by the client";
	}

	@Override
	public ConnectionInfo describe() {
		ReceiveWindow bytes = this.grant.bytes;
		CallTotals totals = new CallTotals(this.grant.calls(), this.grant.receivedCalls(), bytes.granted(),
				bytes.received(), (int) Math.max(0, this.grant.inFlight()), this.bindings.heldCalls());
		return this.connection.describe(this.application, this.server.options.batching.mode(), totals);
	}

	@Override
	public void onUnknown(boolean oneWay, int flags, int code, long callId, byte[] body, int offset,
			long allowedNanos) {
		this.bindings.onUnknown(oneWay, flags, code, callId, body, offset, allowedNanos);
	}

	@Override
	public ServerFlowControl flow() {
		return this.flow;
	}

	@Override
	public void halfClose() {
		this.connection.halfClose();
	}

	@Override
	public void relieve(int tick) {
		this.flow.relieve(tick);
	}

}
