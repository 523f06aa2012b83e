package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.protocol.binary.Window;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.ClientIdentity;
import io.rpcboot.internal.server.connection.IdleMonitor;
import io.rpcboot.internal.server.connection.MaxConnectionAge;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.runtime.ActiveConnection;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ConnectionNotifier;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.security.RefusedCall;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Handles all frames of a server connection but calls: HELLO, BIND, PING, CANCEL and flow
 * control. Also sends GO_AWAY and closes the connection. Event loop only, except the
 * methods of {@link ActiveConnection}.
 */
final class ServerProtocolHandler
		implements ActiveConnection, MaxConnectionAge.AgingConnection, ClientIdentity.Listener {

	/** Maximum PONG frames that wait for the socket. */
	private static final int MAX_UNWRITTEN_PONGS = 64;

	private final Connection connection;

	private final ServerConnection calls;

	private final ServerResources server;

	private final ServerConnectionDrain drain;

	private final ServerFlowControl flow;

	private final IdleMonitor idle;

	private final MaxConnectionAge age;

	private final ServerServiceBindings bindings;

	private final ClientAuthentication authentication;

	private boolean helloSeen;

	/** HELLO that is not answered, because the client is being identified. */
	private @Nullable Hello hello;

	private int unwrittenPongs;

	/** True if the client was rejected; its later frames are ignored. */
	private boolean rejected;

	/** Application name of the client, as sent in HELLO. */
	private String application = "";

	/** Connection as listeners see it; null before the handshake. */
	private @Nullable ConnectionNotifier listened;

	ServerProtocolHandler(Connection connection, ServerConnection calls, ServerResources server) {
		this.connection = connection;
		this.calls = calls;
		this.drain = calls.drain;
		this.flow = calls.flow;
		this.server = server;
		this.bindings = new ServerServiceBindings(connection, calls, server);
		this.authentication = new ClientAuthentication(
				new ClientIdentity(connection, server.access, InstantSource.system(), System::nanoTime, this));
		this.idle = new IdleMonitor(connection, server.options, this::isBusy, this.flow::blockedReplyBytes,
				calls.replies()::yieldUnused, () -> {
				}, this.drain::closeWithError);
		this.age = new MaxConnectionAge(this, connection.loop(), Options.nanos(server.options.connectionAge),
				Options.nanos(server.options.connectionAgeGrace), System::nanoTime);
	}

	/** Registers the connection and waits for HELLO. */
	void onOpen() {
		this.server.connections.add(this);
		this.connection.watchGaps();
		this.idle.awaitIntroduction("HELLO");
	}

	/** Handles a frame that is no call. The array belongs to this handler. */
	void onFrame(int type, int flags, int code, long callId, byte[] body) {
		if (this.rejected) {
			return;
		}
		if (!this.helloSeen && type != FrameType.HELLO && type != FrameType.AUTH) {
			throw new ProtocolException("frame type %d before HELLO".formatted(type));
		}
		switch (type) {
			case FrameType.HELLO -> onHello(Hello.decode(body));
			case FrameType.AUTH -> this.authentication.onAuth(code != 0, body);
			case FrameType.BIND -> this.bindings.onBind(code, body);
			case FrameType.CONTRACT -> {
				this.flow.takeTable(body.length);
				this.bindings.onContract(code, body);
			}
			case FrameType.CANCEL -> cancel(callId, code);
			case FrameType.PING -> onPing(callId);
			case FrameType.WINDOW -> this.flow.onWindow(Window.decode(body), flags);
			case FrameType.NEED -> this.flow.onNeed(callId, this.bindings.hasAny());
			case FrameType.YIELD -> this.flow.onYield(callId);
			case FrameType.PONG -> {
			}
			default -> throw new ProtocolException("unexpected frame type %d".formatted(type));
		}
	}

	private void onPing(long number) {
		this.idle.onPing();
		if (++this.unwrittenPongs > MAX_UNWRITTEN_PONGS) {
			throw new ProtocolException("too many PING frames whose answers are not read");
		}
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.PONG, 0, number, OutboundFrame.NOTHING, () -> this.unwrittenPongs--));
	}

	/**
	 * Handles only the first CANCEL of a call, so a peer cannot repeat the work. One-way
	 * calls cannot be cancelled.
	 */
	private void cancel(long callId, int reason) {
		BinaryServerStream stream = this.calls.find(callId);
		if (stream == null) {
			this.bindings.cancel(callId);
			return;
		}
		ServerCall call = stream.call;
		if (!call.cancelled && !call.oneWay) {
			if (reason == RpcStatus.DEADLINE_EXCEEDED.code()) {
				call.deadlineHasPassed();
			}
			call.cancel();
			this.calls.replies().blocked.unblock(stream);
		}
	}

	private void onHello(Hello hello) {
		if (this.helloSeen) {
			throw new ProtocolException("a second HELLO");
		}
		this.helloSeen = true;
		this.application = hello.application();
		this.connection.ready();
		this.server.onApplication(this.connection.isEncrypted(), this.application);
		this.server.recorder.connectionOpened(this.connection.remote(), this.application, this.connection.ageNanos());
		this.idle.watch();
		List<String> accepted = this.server.services.serializers();
		if (Collections.disjoint(accepted, hello.serializers())) {
			String message = ("serializer: the client sends %s, and the server takes %s;"
					+ " set rpc.server.serializers=%s at the server, or rpc.client.serializer=%s at the client")
				.formatted(ServiceTable.quoted(hello.serializers()), ServiceTable.quoted(accepted),
						Stream.concat(accepted.stream(), hello.serializers().stream()).collect(Collectors.joining(",")),
						accepted.get(0));
			close(new AccessDenial(RpcStatus.FAILED_PRECONDITION, message));
			return;
		}
		this.hello = hello;
		this.authentication.identity.introduced();
	}

	/** Closes the connection of a client whose credentials are not valid. */
	@Override
	public void refused(AccessDenial why) {
		AccessControl access = this.server.access;
		if (access != null) {
			access.report(new RefusedCall(this.connection.remote(), this.application,
					Protocol.format(Set.of(Protocol.NATIVE)), CallerIdentity.anonymous(), "", "", why.status()));
		}
		close(why);
	}

	/** Closes the connection of a client that cannot be served. */
	private void close(AccessDenial why) {
		this.drain.warn("Connection closed", why.message());
		this.rejected = true;
		this.calls.admitNone();
		sendGoAway(why.status(), 0, why.message(), null);
		this.drain.closeAfterFlush();
	}

	/** Notes who the client is. The first time this completes the handshake. */
	@Override
	public void identified(CallerProof proof) {
		CallerIdentity identity = proof.identity;
		Hello first = this.hello;
		this.hello = null;
		this.server.identified(ConnectionNotifier.identity(this.listened), identity);
		this.calls.responder.identified(proof);
		if (this.listened != null) {
			this.listened.identified(identity);
		}
		if (first != null) {
			answer(first, identity);
		}
		this.bindings.identified(proof);
		if (proof.suspended != null) {
			this.drain.warn("Calls refused", proof.suspended.status(), proof.suspended.message());
		}
	}

	@Override
	public void certificateEnded() {
		this.drain.warn("Connection ends", CERTIFICATE_ENDED, CERTIFICATE_ENDED);
		this.age.end(CERTIFICATE_ENDED);
	}

	private void answer(Hello hello, CallerIdentity identity) {
		List<String> accepted = this.server.services.serializers();
		send(FrameType.HELLO, 0, 0, new Hello(this.server.options.maxFrameSize, accepted,
				this.server.options.applicationName, this.server.options.maxAttachments)
			.encode());
		if (this.server.isDraining) {
			this.calls.admitNone();
			sendGoAway(RpcStatus.UNAVAILABLE, 0, this.server.whyGoAway, null);
			return;
		}
		this.listened = ConnectionNotifier.connected(this.server.options.connectionListeners, this.server.listeners,
				Side.SERVER, Protocol.NATIVE, this.connection.remote(), hello.application(), identity);
		this.calls.admitCalls(Math.min(this.server.options.maxFrameSize, hello.maxFrameSize()), hello.maxAttachments());
		this.age.begins(ThreadLocalRandom.current()::nextDouble);
	}

	private void send(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, callId, body));
	}

	@Override
	public CompletableFuture<Void> goAway() {
		CompletableFuture<Void> sent = new CompletableFuture<>();
		boolean alive = this.connection.execute(() -> {
			if (!this.helloSeen || this.drain.closed || this.drain.goingAway) {
				sent.complete(null);
				return;
			}
			sendGoAway(RpcStatus.UNAVAILABLE, this.calls.goAway(), this.server.whyGoAway, () -> sent.complete(null));
		});
		if (!alive) {
			sent.complete(null);
		}
		return sent;
	}

	@Override
	public boolean mayBeReplaced() {
		return this.server.connections.size() < this.server.options.maxConnections;
	}

	@Override
	public boolean isLeaving() {
		return this.drain.goingAway;
	}

	@Override
	public boolean isBusy() {
		return this.calls.inFlight.size() > 0 || this.bindings.unboundCalls() > 0;
	}

	@Override
	public long lastCall() {
		return this.calls.lastId();
	}

	@Override
	public void requestReplacement() {
		sendGoAway(RpcStatus.OK, Long.MAX_VALUE, MaxConnectionAge.AGED, null);
	}

	@Override
	public void announceGoAway() {
		sendGoAway(RpcStatus.OK, this.calls.goAway(),
				Objects.requireNonNullElse(this.age.whyEnding(), MaxConnectionAge.AGED), null);
	}

	@Override
	public void closeGracefully() {
		this.drain.closeAfterFlush();
	}

	@Override
	public void closeWithError(String why) {
		this.drain.closeWithError(why);
	}

	private void sendGoAway(RpcStatus status, long lastServed, String reason, @Nullable Runnable afterwards) {
		this.connection.goesAway();
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.GO_AWAY, status.code(), lastServed,
					reason.getBytes(StandardCharsets.UTF_8), afterwards));
	}

	/** Releases all memory, whatever fails on the way. */
	void onClosed(@Nullable Throwable cause) {
		this.drain.closed = true;
		this.server.connections.remove(this);
		if (this.age.isOld()) {
			this.server.counts.aged.increment();
		}
		try {
			this.idle.stop();
			this.authentication.identity.close();
			this.age.stop();
			this.flow.stop();
			this.calls.abandonCalls();
		}
		finally {
			try {
				this.bindings.onClosed();
			}
			finally {
				this.calls.window.close();
			}
		}
		reportClosed(cause);
	}

	private void reportClosed(@Nullable Throwable cause) {
		String why = whyClosed(cause);
		if (this.helloSeen) {
			this.server.recorder.connectionClosed(this.connection.remote(), this.application, why,
					this.connection.ageNanos());
		}
		if (cause instanceof ProtocolException) {
			this.drain.warn("Connection closed", String.valueOf(cause.getMessage()));
		}
		if (this.listened != null) {
			this.listened.closed(why);
		}
	}

	/** Returns the connection as listeners see it, null before the handshake. */
	@Nullable RpcConnection listened() {
		return this.listened;
	}

	private String whyClosed(@Nullable Throwable cause) {
		if (this.drain.problem != null) {
			return this.drain.problem;
		}
		if (cause != null) {
			return Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
		}
		String ending = this.age.whyEnding();
		if (ending != null) {
			return ending;
		}
		return this.server.isDraining ? this.server.whyGoAway : "closed by the client";
	}

	@Override
	public ConnectionInfo describe() {
		CallWindow window = this.calls.window;
		ReceiveWindow bytes = window.bytes;
		CallTotals totals = new CallTotals(window.calls(), window.receivedCalls(), bytes.granted(), bytes.received(),
				(int) Math.max(0, window.inFlight()), this.bindings.unboundCalls(),
				bytes.reserved() + this.bindings.memoryBytes() + this.calls.unsent().get());
		return this.connection.describe(ConnectionNotifier.identity(this.listened), this.application,
				this.server.options.batching.mode(), totals);
	}

	/** Handles a call by a number that is not bound. */
	void onUnbound(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long allowedNanos) {
		this.bindings.onUnbound(oneWay, flags, code, callId, body, offset, allowedNanos);
	}

	@Override
	public void renewTls(long minAgeNanos, long afterNanos) {
		if (this.connection.isEncrypted() && this.connection.ageNanos() >= minAgeNanos) {
			this.connection.loop().schedule(this.age::expire, afterNanos, TimeUnit.NANOSECONDS);
		}
	}

	@Override
	public void halfClose() {
		this.connection.halfClose();
	}

	@Override
	public void relieve(int tick) {
		this.flow.progress.relieve(tick);
	}

}
