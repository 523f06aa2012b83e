package io.rpcboot.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.LongObjectHashMap;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.Hello;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.Window;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.ControlFrame;
import io.rpcboot.internal.transport.FrameHandler;
import io.rpcboot.internal.transport.WriteQueue;
import io.rpcboot.metrics.RpcMetrics.Side;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a connection: bindings, calls in flight, the grant. Stop before:
 * frame decoder; stop after: worker pool. All state is confined to the event loop.
 */
final class ServerConnection implements FrameHandler {

	private static final int MAX_BINDINGS = 4096;

	private static final int MAX_REFUSALS = 256;

	private static final int MAX_SERVICE_LENGTH = 1024;

	private static final byte[] NOTHING = new byte[0];

	private final Connection connection;

	private final ServerRuntime server;

	private final TransportRecorder recorder;

	private final IntObjectHashMap<ServerMethod> methods = new IntObjectHashMap<>();

	private final List<Refusal> refusals = new ArrayList<>();

	private final LongObjectHashMap<ServerCall> inFlight = new LongObjectHashMap<>();

	private final LifeSigns lifeSigns;

	private volatile int maxResponse;

	private boolean helloSeen;

	private boolean goingAway;

	/** A one-way call cannot be sent again: while going away it is still executed. */
	private boolean servesOneWays;

	private boolean closed;

	private int bindings;

	private long lastId;

	private long receivedCalls;

	private long receivedBytes;

	private long releasedCalls;

	private long releasedBytes;

	private long announcedCalls;

	private long announcedBytes;

	private boolean published;

	ServerConnection(Connection connection, ServerRuntime server) {
		this.connection = connection;
		this.server = server;
		this.recorder = server.options.metrics.transport(Side.SERVER);
		this.maxResponse = server.options.maxFrameSize;
		this.lifeSigns = new LifeSigns(connection, server, () -> !this.inFlight.isEmpty());
	}

	/** Numbers that were asked for and not given. */
	private record Refusal(int first, int count, RpcStatus status, String message) {
	}

	@Override
	public void onOpen() {
		if (this.server.connections.size() >= this.server.options.maxConnections) {
			this.server.log.warn("Connection refused", "%s: limits.connections: %d are open already"
				.formatted(this.connection, this.server.options.maxConnections));
			this.connection.close();
			return;
		}
		this.server.connections.add(this);
		this.lifeSigns.awaitHello();
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] body) {
		if (!this.helloSeen && type != FrameType.HELLO) {
			throw new ProtocolException("frame type %d before HELLO".formatted(type));
		}
		switch (type) {
			case FrameType.REQUEST, FrameType.ONE_WAY ->
				onRequest(type == FrameType.ONE_WAY, flags, code, callId, body);
			case FrameType.CANCEL -> {
				ServerCall call = this.inFlight.get(callId);
				if (call != null) {
					call.cancel();
				}
			}
			case FrameType.HELLO -> onHello(Hello.decode(body));
			case FrameType.BIND -> onBind(code, Bind.decode(body));
			case FrameType.PING -> {
				this.lifeSigns.onPing();
				control(FrameType.PONG, 0, callId, NOTHING);
			}
			case FrameType.PONG, FrameType.WINDOW, FrameType.GO_AWAY -> {
			}
			default -> throw new ProtocolException("unexpected frame type %d".formatted(type));
		}
	}

	private void onRequest(boolean oneWay, int flags, int code, long callId, byte[] body) {
		if (callId <= this.lastId) {
			throw new ProtocolException("call ids do not rise");
		}
		if (this.goingAway && !(oneWay && this.servesOneWays)) {
			return;
		}
		this.lastId = callId;
		boolean overGrant = this.receivedCalls >= this.announcedCalls || this.receivedBytes >= this.announcedBytes;
		this.receivedCalls++;
		this.receivedBytes += body.length;
		if (overGrant) {
			this.goingAway = true;
			reply(callId, RpcStatus.RESOURCE_EXHAUSTED, "more was sent than the server's grant allows", 0);
			closeSoon();
			return;
		}
		int offset = ((flags & FrameHeader.FLAG_DEADLINE) != 0) ? FrameHeader.DEADLINE_LENGTH : 0;
		if (body.length < offset) {
			throw new ProtocolException("REQUEST: truncated body");
		}
		long allowedNanos = (offset == 0) ? Long.MAX_VALUE
				: TimeUnit.MILLISECONDS.toNanos(FrameHeader.remainingMillis(body));
		if ((flags & FrameHeader.FLAG_ATTACHMENTS) != 0) {
			offset = FrameHeader.skipAttachments(body, offset);
		}
		ServerMethod method = this.methods.get(code);
		boolean known = method != null;
		if (!known || this.server.inFlight.incrementAndGet() > this.server.options.maxInFlightCalls) {
			if (known) {
				this.server.callEnded();
			}
			refuse(oneWay, code, callId, body.length, known);
			return;
		}
		ServerCall call = new ServerCall(this, method, oneWay, callId, body, offset, allowedNanos);
		this.inFlight.put(callId, call);
		this.server.workers.publish(call);
		this.published = true;
	}

	/** After the last word: the client is to read it first, but not to stay. */
	private void closeSoon() {
		this.connection.queue().enqueue(new ControlFrame(FrameType.PONG, 0, 0, NOTHING, this.connection::halfClose));
		this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
	}

	private void refuse(boolean oneWay, int code, long callId, int size, boolean known) {
		if (oneWay) {
			released(size);
			return;
		}
		if (known) {
			reply(callId, RpcStatus.RESOURCE_EXHAUSTED, "limits.in-flight-calls: %d calls are in flight at the server"
				.formatted(this.server.options.maxInFlightCalls), size);
			return;
		}
		for (Refusal refusal : this.refusals) {
			if (code >= refusal.first && code < refusal.first + refusal.count) {
				reply(callId, refusal.status, refusal.message, size);
				return;
			}
		}
		reply(callId, RpcStatus.UNIMPLEMENTED, "method number %d was never bound".formatted(code), size);
	}

	private void reply(long callId, RpcStatus status, String message, int requestSize) {
		byte[] body = Failure.fitting(message, "", this.maxResponse).encode();
		this.connection.queue().enqueue(new NotExecuted(callId, status, body, requestSize));
	}

	private void onHello(Hello hello) {
		if (this.helloSeen) {
			throw new ProtocolException("a second HELLO");
		}
		this.helloSeen = true;
		this.recorder.connectionOpened();
		this.lifeSigns.watch();
		if (!hello.serializer().equals(this.server.serializer)) {
			String message = "serializer: '%s' (expected: '%s', which is the server's)".formatted(hello.serializer(),
					this.server.serializer);
			this.server.log.warn("Connection closed", this.connection + ": " + message);
			goAway(RpcStatus.FAILED_PRECONDITION, 0, message, null);
			closeSoon();
			return;
		}
		this.maxResponse = Math.min(this.server.options.maxFrameSize, hello.maxFrameSize());
		control(FrameType.HELLO, 0, 0,
				new Hello(this.server.options.maxFrameSize, this.server.serializer, this.server.options.applicationName)
					.encode());
		if (this.server.isDraining()) {
			goAway(RpcStatus.UNAVAILABLE, 0, "the server is shutting down", null);
			return;
		}
		announce();
	}

	private void onBind(int first, Bind bind) {
		if (++this.bindings > MAX_BINDINGS || this.refusals.size() >= MAX_REFUSALS) {
			throw new ProtocolException("too many BIND frames");
		}
		if (bind.service().length() > MAX_SERVICE_LENGTH) {
			throw new ProtocolException("BIND: the name of a service is longer than " + MAX_SERVICE_LENGTH);
		}
		OfferedServices.Answer answer = this.server.services.answer(bind);
		for (int i = 0; i < answer.methods().size(); i++) {
			this.methods.put(first + i, answer.methods().get(i));
		}
		if (answer.status() != RpcStatus.OK) {
			this.refusals.add(new Refusal(first, bind.methods(), answer.status(), answer.message()));
			this.server.log.warn("Service refused", this.connection + ": " + answer.message());
		}
		control(FrameType.BIND_REPLY, answer.status().code(), first, answer.message().getBytes(StandardCharsets.UTF_8));
	}

	private void control(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, callId, body));
	}

	/** A call's answer is about to be written: its place in the grant is free again. */
	void release(ServerCall call) {
		this.inFlight.remove(call.id());
		released(call.requestSize());
	}

	private void released(int bytes) {
		this.releasedCalls++;
		this.releasedBytes += bytes;
		long calls = this.server.options.maxCallsPerConnection;
		long size = this.server.options.maxBytesPerConnection;
		boolean raise = this.releasedCalls + calls - this.announcedCalls >= (calls + 3) / 4
				|| this.releasedBytes + size - this.announcedBytes >= size / 4;
		if (raise && !this.goingAway) {
			announce();
		}
	}

	private void announce() {
		this.announcedCalls = this.releasedCalls + this.server.options.maxCallsPerConnection;
		this.announcedBytes = this.releasedBytes + this.server.options.maxBytesPerConnection;
		control(FrameType.WINDOW, 0, this.announcedCalls, Window.encode(this.announcedBytes));
	}

	/**
	 * Tell the client to send no more calls. Any thread.
	 * @return completes when the client was told and every later call is refused
	 */
	CompletableFuture<Void> goAway() {
		CompletableFuture<Void> told = new CompletableFuture<>();
		boolean alive = this.connection.execute(() -> {
			if (!this.helloSeen || this.goingAway || this.closed) {
				told.complete(null);
				return;
			}
			this.servesOneWays = true;
			goAway(RpcStatus.UNAVAILABLE, this.lastId, "the server is shutting down", () -> told.complete(null));
		});
		if (!alive) {
			told.complete(null);
		}
		return told;
	}

	private void goAway(RpcStatus status, long lastServed, String reason, @Nullable Runnable afterwards) {
		this.goingAway = true;
		this.connection.queue()
			.enqueue(new ControlFrame(FrameType.GO_AWAY, status.code(), lastServed,
					reason.getBytes(StandardCharsets.UTF_8), afterwards));
	}

	@Override
	public void onReadComplete() {
		if (this.published) {
			this.published = false;
			this.server.workers.wake();
		}
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.closed = true;
		this.lifeSigns.stop();
		this.server.connections.remove(this);
		if (this.helloSeen) {
			this.recorder.connectionClosed();
		}
		this.inFlight.values().forEach(ServerCall::cancel);
		this.inFlight.clear();
		if (cause instanceof ProtocolException) {
			this.server.log.warn("Connection closed", this.connection + ": " + cause.getMessage());
		}
	}

	void logUndeclared(MethodDescriptor method, @Nullable Throwable thrown) {
		this.server.log.warn("Undeclared exception", String.valueOf(method), thrown);
	}

	void enqueue(ServerCall call) {
		if (!this.connection.queue().enqueue(call)) {
			call.rejected();
		}
	}

	void callEnded() {
		this.server.callEnded();
	}

	OutputBuffer.Pool buffers() {
		return this.server.buffers;
	}

	int maxResponse() {
		return this.maxResponse;
	}

	/** Send nothing more; the client closes when it has read all. Any thread. */
	void halfClose() {
		this.connection.halfClose();
	}

	/** Any thread. */
	void runLater(Runnable task) {
		this.server.workers.publish(task);
		this.server.workers.wake();
	}

	/** The answer to a call that was refused: its place is free when it is written. */
	private final class NotExecuted extends WriteQueue.Frame {

		private final int requestSize;

		NotExecuted(long callId, RpcStatus status, byte[] body, int requestSize) {
			super(FrameType.RESPONSE, body);
			this.callId = callId;
			this.code = status.code();
			this.flags = FrameHeader.FLAG_NOT_EXECUTED;
			this.requestSize = requestSize;
		}

		@Override
		protected Admission begin(boolean writable) {
			if (!writable) {
				return Admission.HOLD;
			}
			released(this.requestSize);
			return Admission.WRITE;
		}

		@Override
		protected void rejected() {
		}

	}

}
