package io.rpcboot.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.netty.util.collection.LongObjectHashMap;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcStatus;
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
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a connection: call ids, the table of pending calls, the grant.
 * Stop before: write queue or frame decoder; stop after: client call. All state is
 * confined to the event loop.
 */
final class ClientConnection implements FrameHandler {

	/** Between two looks at the clock: far above any server's need. */
	private static final int MAX_PINGS = 1000;

	private static final byte[] NOTHING = new byte[0];

	private final Connection connection;

	private final EndpointPool pool;

	private final ClientRuntime client;

	private final LongObjectHashMap<ClientCall> pending = new LongObjectHashMap<>();

	private final PendingTimeouts timeouts;

	private final TransportRecorder recorder;

	private final Set<Integer> bound = ConcurrentHashMap.newKeySet();

	private volatile int pendingCount;

	private long lastId;

	private long grantedCalls;

	private long grantedBytes;

	private long sentCalls;

	private long sentBytes;

	private int serverMaxFrame = Integer.MAX_VALUE;

	private boolean helloSeen;

	private boolean draining;

	private boolean probing;

	private int pings;

	private int unwrittenOneWays;

	private boolean wakeCallbacks;

	private boolean closed;

	private @Nullable String problem;

	ClientConnection(Connection connection, EndpointPool pool, ClientRuntime client) {
		this.connection = connection;
		this.pool = pool;
		this.client = client;
		this.recorder = client.options().metrics.transport(Side.CLIENT);
		this.timeouts = new PendingTimeouts(connection, this.pending);
	}

	/** Enqueue a call. Any thread. False if the connection has ended. */
	boolean send(ClientCall call) {
		return this.connection.queue().enqueue(call);
	}

	/** Right before a call is written. */
	Admission admit(ClientCall call, boolean writable) {
		if (call.isDone()) {
			return Admission.SKIP;
		}
		if (this.draining) {
			call.rejected();
			return Admission.SKIP;
		}
		if (!writable || this.sentCalls >= this.grantedCalls || this.sentBytes >= this.grantedBytes) {
			this.timeouts.watchHeld(call);
			return Admission.HOLD;
		}
		if (call.isAsynchronous() && call.remainingNanos() <= 0) {
			call.expire();
			return Admission.SKIP;
		}
		int size = call.body().length + FrameHeader.DEADLINE_LENGTH;
		if (size > this.serverMaxFrame) {
			call.fail(RpcStatus.INVALID_ARGUMENT, CallFailures.largerThanServerAccepts(size, this.serverMaxFrame));
			return Admission.SKIP;
		}
		if (!call.markSent(this.lastId + 1)) {
			return Admission.SKIP;
		}
		this.lastId++;
		this.sentCalls++;
		this.sentBytes += size;
		if (call.isOneWay()) {
			this.unwrittenOneWays++;
		}
		else {
			this.pending.put(this.lastId, call);
			this.pendingCount = this.pending.size();
			if (call.isAsynchronous()) {
				this.timeouts.watch(call);
			}
		}
		return Admission.WRITE;
	}

	/** A one-way call was written, or never will be. Event loop. */
	void oneWayWritten() {
		this.unwrittenOneWays--;
		if (this.draining) {
			closeWhenDrained();
		}
	}

	/** The call is over, its reply no longer wanted. Any thread. */
	void forget(ClientCall call) {
		this.connection.queue().enqueue(new Cancel(call));
	}

	@Override
	public void onOpen() {
		Hello hello = new Hello(this.client.options().maxFrameSize, this.client.serializer(),
				this.client.options().applicationName);
		control(FrameType.HELLO, 0, 0, hello.encode());
		this.pool.bindings().forEach(this::bind);
		long timeout = Options.nanos(this.client.options().connectTimeout);
		this.connection.loop().schedule(this::checkHandshake, timeout, TimeUnit.NANOSECONDS);
		long interval = Options.nanos(this.client.options().keepAliveInterval);
		this.connection.loop().schedule(this::keepAlive, interval, TimeUnit.NANOSECONDS);
	}

	/** Give numbers to a service's methods; calls may follow. Any thread, any time. */
	void bind(ServiceBinding binding) {
		if (!this.bound.add(binding.firstNumber())) {
			return;
		}
		control(FrameType.BIND, binding.firstNumber(), 0, binding.bindBody());
	}

	private void control(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, callId, body));
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] body) {
		if (type == FrameType.RESPONSE) {
			onResponse(flags, code, callId, body);
			return;
		}
		if (!this.helloSeen && type != FrameType.HELLO && type != FrameType.GO_AWAY) {
			throw new ProtocolException("frame type %d before HELLO".formatted(type));
		}
		switch (type) {
			case FrameType.HELLO -> onHello(Hello.decode(body));
			case FrameType.BIND_REPLY -> onBindReply(code, (int) callId, body);
			case FrameType.WINDOW -> {
				this.grantedCalls = Math.max(this.grantedCalls, callId);
				this.grantedBytes = Math.max(this.grantedBytes, Window.decode(body));
				this.connection.queue().resume();
			}
			case FrameType.PING -> {
				if (++this.pings > MAX_PINGS) {
					throw new ProtocolException("too many PING frames");
				}
				control(FrameType.PONG, 0, callId, NOTHING);
			}
			case FrameType.PONG -> {
			}
			case FrameType.GO_AWAY -> onGoAway(callId, new String(body, StandardCharsets.UTF_8));
			default -> throw new ProtocolException("unexpected frame type %d".formatted(type));
		}
	}

	private void onResponse(int flags, int code, long callId, byte[] body) {
		boolean answered = code == 0 || (flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0;
		Failure failure = answered ? null : Failure.decode(body);
		ClientCall call = this.pending.remove(callId);
		if (call == null) {
			return;
		}
		this.pendingCount = this.pending.size();
		this.wakeCallbacks |= call.isAsynchronous();
		if (failure == null) {
			call.completeWithReply(flags, body);
		}
		else {
			onFailure(call, flags, RpcStatus.ofCode(code), failure);
		}
		if (this.draining) {
			closeWhenDrained();
		}
	}

	private void onFailure(ClientCall call, int flags, @Nullable RpcStatus known, Failure failure) {
		RpcStatus status = (known != null) ? known : RpcStatus.INTERNAL;
		boolean notExecuted = (flags & FrameHeader.FLAG_NOT_EXECUTED) != 0;
		boolean elsewhere = status == RpcStatus.UNAVAILABLE || status == RpcStatus.FAILED_PRECONDITION
				|| status == RpcStatus.NOT_FOUND;
		if (notExecuted && elsewhere) {
			call.rejected();
			return;
		}
		String what = failure.type().isEmpty() ? failure.message() : failure.type() + ": " + failure.message();
		call.fail(status, what, notExecuted, failure.type().isEmpty() ? null : failure.type());
	}

	private void onHello(Hello hello) {
		if (this.helloSeen) {
			throw new ProtocolException("a second HELLO");
		}
		if (!hello.serializer().equals(this.client.serializer())) {
			throw new ProtocolException("the server's serializer is '%s' (expected: '%s')".formatted(hello.serializer(),
					this.client.serializer()));
		}
		this.helloSeen = true;
		this.recorder.connectionOpened();
		this.serverMaxFrame = hello.maxFrameSize();
		this.pool.onReady(this);
	}

	private void onBindReply(int code, int firstNumber, byte[] body) {
		if (code != 0 && this.bound.contains(firstNumber)) {
			this.pool.onBindRefused(this, firstNumber, new String(body, StandardCharsets.UTF_8));
		}
	}

	/** Calls beyond the last one that is served did not run. */
	private void onGoAway(long lastServed, String reason) {
		this.problem = reason;
		startDraining();
		List<ClientCall> beyond = new ArrayList<>();
		for (ClientCall call : this.pending.values()) {
			if (call.id() > lastServed) {
				beyond.add(call);
			}
		}
		beyond.forEach((call) -> this.pending.remove(call.id()));
		this.pendingCount = this.pending.size();
		beyond.forEach(ClientCall::rejected);
		closeWhenDrained();
	}

	/** Take no more calls, finish those under way, close. Any thread. */
	void drain() {
		this.connection.execute(() -> {
			startDraining();
			closeWhenDrained();
		});
	}

	private void startDraining() {
		this.draining = true;
		this.pool.onDraining(this, (this.problem != null) ? this.problem : "draining");
		this.connection.queue().resume();
	}

	private void closeWhenDrained() {
		if (this.pending.isEmpty() && this.unwrittenOneWays == 0) {
			this.connection.close();
		}
	}

	@Override
	public void onReadComplete() {
		if (this.wakeCallbacks) {
			this.wakeCallbacks = false;
			this.client.callbacks().wake();
		}
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.closed = true;
		if (this.helloSeen) {
			this.recorder.connectionClosed();
		}
		String why = (cause != null) ? String.valueOf(cause.getMessage())
				: (this.problem != null) ? this.problem : "closed by the server";
		List<ClientCall> lost = new ArrayList<>(this.pending.values());
		this.pending.clear();
		this.pendingCount = 0;
		lost.forEach((call) -> call.fail(RpcStatus.UNAVAILABLE, "the connection was lost: " + why));
		this.pool.onClosed(this, this.helloSeen, why);
	}

	private void checkHandshake() {
		if (!this.helloSeen) {
			this.problem = "no answer to HELLO within " + CallFailures.text(this.client.options().connectTimeout);
			this.connection.close();
		}
	}

	private void keepAlive() {
		if (this.closed) {
			return;
		}
		this.pings = 0;
		if (this.connection.takeActivity()) {
			this.probing = false;
		}
		else if (this.probing) {
			this.problem = "no sign of life for %s after a probe"
				.formatted(CallFailures.text(this.client.options().keepAliveTimeout));
			this.connection.close();
			return;
		}
		else {
			this.probing = true;
			control(FrameType.PING, 0, 1, NOTHING);
		}
		long next = Options
			.nanos(this.probing ? this.client.options().keepAliveTimeout : this.client.options().keepAliveInterval);
		this.connection.loop().schedule(this::keepAlive, next, TimeUnit.NANOSECONDS);
	}

	/** Close now. Any thread. */
	void close() {
		this.connection.close();
	}

	int pendingCalls() {
		return this.pendingCount;
	}

	Endpoint endpoint() {
		return this.pool.endpoint();
	}

	/** Takes a call out of the table and tells the server, if it was still in it. */
	private final class Cancel extends WriteQueue.Frame {

		private final ClientCall call;

		Cancel(ClientCall call) {
			super(FrameType.CANCEL, NOTHING);
			this.call = call;
		}

		@Override
		protected Admission begin(boolean writable) {
			this.callId = this.call.id();
			if (ClientConnection.this.pending.get(this.callId) != this.call) {
				return Admission.SKIP;
			}
			if (!writable) {
				return Admission.HOLD;
			}
			ClientConnection.this.pending.remove(this.callId);
			ClientConnection.this.pendingCount = ClientConnection.this.pending.size();
			if (ClientConnection.this.draining) {
				closeWhenDrained();
			}
			return Admission.WRITE;
		}

		@Override
		protected void rejected() {
		}

	}

}
