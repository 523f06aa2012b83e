package io.rpcboot.server;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.Attachments;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.BodyArrays;
import io.rpcboot.internal.transport.CallTable;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.EventLoopThread;
import io.rpcboot.internal.transport.Frame;
import io.rpcboot.internal.transport.FrameHandler;
import io.rpcboot.internal.transport.OutgoingGrant;
import io.rpcboot.internal.transport.WriteQueue;
import io.rpcboot.metrics.CallTally;
import io.rpcboot.server.ServerCall.ServerMethod;
import io.rpcboot.transport.RpcConnection;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a connection at the server: methods by number, calls in flight, the grant.
 * Stop before: frame decoder; stop after: worker pool. All state is confined to the event
 * loop.
 */
final class ServerConnection implements FrameHandler {

	private final WriteQueue queue;

	private final ServerRuntime server;

	private final ServerControl control;

	private final IntObjectHashMap<ServerMethod> methods = new IntObjectHashMap<>();

	private final CallTable<ServerCall> inFlight = new CallTable<>();

	private final Grant grant;

	private volatile int maxResponse;

	private boolean introduced;

	private boolean goingAway;

	/** A one-way call cannot be sent again: while going away it is still executed. */
	private boolean servesOneWays;

	private long lastId;

	private long readNanos;

	private long gapNanos;

	private final CallTally tally = new CallTally();

	/** Calls of this batch that are over and not recorded yet. */
	private int ended;

	private final OutgoingGrant replies;

	/** Bytes of results that wait or are being written. Any thread. */
	private final AtomicLong unsent = new AtomicLong();

	private boolean published;

	ServerConnection(Connection connection, ServerRuntime server) {
		this.queue = connection.queue();
		this.queue.afterBatch(this::afterBatch);
		this.server = server;
		this.maxResponse = server.options.maxFrameSize;
		this.replies = new OutgoingGrant(this.queue);
		this.grant = server.newGrant(() -> connection.execute(this::admitted));
		this.control = new ServerControl(connection, this, this.grant, server);
	}

	@Override
	public void onOpen() {
		this.control.onOpen();
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.readNanos = nanos;
		this.gapNanos = gapNanos;
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length) {
		if (this.introduced && (type == FrameType.REQUEST || type == FrameType.ONE_WAY)) {
			onRequest(type == FrameType.ONE_WAY, flags, code, callId, bytes, offset, length, false);
		}
		else {
			this.control.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
		}
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, byte[] body, int length) {
		if (this.introduced && (type == FrameType.REQUEST || type == FrameType.ONE_WAY)) {
			onRequest(type == FrameType.ONE_WAY, flags, code, callId, body, 0, length, true);
		}
		else {
			this.control.onFrame(type, flags, code, callId, body);
		}
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		if (!this.introduced) {
			throw new ProtocolException("a body of %d bytes before HELLO".formatted(length));
		}
		return flow().admits(type, callId, length);
	}

	private void onRequest(boolean oneWay, int flags, int code, long callId, byte[] bytes, int offset, int length,
			boolean own) {
		if (callId <= this.lastId) {
			throw new ProtocolException("call ids do not rise");
		}
		if (this.goingAway && !(oneWay && this.servesOneWays)) {
			this.grant.bytes().takes(length); // it is owed no longer
			return;
		}
		this.lastId = callId;
		if (!this.grant.takes(length)) {
			this.goingAway = true;
			this.control.endOverGrant(callId);
			return;
		}
		if ((flags & FrameHeader.FLAG_LAST_GRANTED) != 0) {
			this.grant.usedUp();
		}
		if (this.grant.isShort()) {
			flow().raise();
		}
		int end = offset + length;
		int start = offset;
		long allowedNanos = Long.MAX_VALUE;
		if ((flags & FrameHeader.FLAG_DEADLINE) != 0) {
			start += FrameHeader.DEADLINE_LENGTH;
			if (start > end) {
				throw new ProtocolException("REQUEST: truncated body");
			}
			allowedNanos = TimeUnit.MILLISECONDS.toNanos(FrameHeader.remainingMillis(bytes, offset)) - this.gapNanos;
			if (allowedNanos < 0) {
				this.control.refuseAfterGap(oneWay, callId, length, this.gapNanos);
				return;
			}
		}
		if ((flags & FrameHeader.FLAG_ATTACHMENTS) != 0) {
			start = Attachments.skip(bytes, start, end);
		}
		ServerMethod method = this.methods.get(code);
		if (method == null) {
			byte[] body = (own && bytes.length == end) ? bytes : Arrays.copyOfRange(bytes, offset, end);
			this.control.bindings().onUnknown(oneWay, code, callId, body, start - offset, allowedNanos);
			return;
		}
		if (this.server.inFlight.incrementAndGet() > this.server.options.maxInFlightCalls) {
			this.control.refuseOverLimit(oneWay, callId, length);
			return;
		}
		ServerCall call = new ServerCall(this, method, oneWay, callId, length, this.readNanos, allowedNanos);
		start(call, bytes, start, end, own);
	}

	/**
	 * On an event loop the arguments are read in place, anywhere else from an array of
	 * their own.
	 */
	void start(ServerCall call, byte[] bytes, int start, int end, boolean own) {
		Dispatch dispatch = call.method().dispatch();
		if (dispatch == Dispatch.EVENT_LOOP) {
			call.arguments(bytes, start, end - start);
			EventLoopThread.run(call);
			if (own) {
				BodyArrays.SHARED.give(bytes);
			}
			if (!call.isReleased()) {
				this.inFlight.put(call);
			}
			return;
		}
		this.inFlight.put(call);
		if (own) {
			call.arguments(bytes, start, end - start);
		}
		else {
			call.arguments(Frame.copy(bytes, start, end), 0, end - start);
		}
		if (dispatch == Dispatch.VIRTUAL) {
			this.server.virtualThreads.execute(call);
			return;
		}
		this.server.workers.publish(call);
		this.published = true;
	}

	@Override
	public void onReadComplete() {
		if (this.published) {
			this.published = false;
			this.server.workers.wake();
		}
	}

	/** A call's answer is about to be written: its place in the grant is free again. */
	void release(ServerCall call) {
		this.inFlight.remove(call.id());
		released(call.requestSize());
	}

	void released(int bytes) {
		if (this.grant.release(bytes)) {
			flow().raise();
		}
	}

	/** What the client needed is reserved. */
	private void admitted() {
		flow().admitted();
	}

	/** What the client takes of replies. */
	OutgoingGrant replies() {
		return this.replies;
	}

	ServerFlow flow() {
		return this.control.flow();
	}

	/** Bytes of results that wait or are being written. Any thread. */
	AtomicLong unsent() {
		return this.unsent;
	}

	/** HELLO was answered: calls may come. */
	void admitCalls(int largestResponse) {
		this.maxResponse = largestResponse;
		this.introduced = true;
		this.grant.open();
		flow().announce();
	}

	/** HELLO was answered with GO_AWAY. */
	void admitNone() {
		this.introduced = true;
		this.goingAway = true;
	}

	/** Refuse every later call. Returns the last call that is served. */
	long goAway() {
		this.goingAway = true;
		this.servesOneWays = true;
		return this.lastId;
	}

	boolean isGoingAway() {
		return this.goingAway;
	}

	boolean isBusy() {
		return this.inFlight.size() > 0;
	}

	/** By number; none where it was not bound or is refused. */
	IntObjectHashMap<ServerMethod> methods() {
		return this.methods;
	}

	/** A call that was given to the workers and is not answered yet. */
	@Nullable ServerCall find(long callId) {
		return this.inFlight.get(callId);
	}

	/** As the application sees it. */
	@Nullable RpcConnection listened() {
		return this.control.listened();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.control.onClosed(cause);
	}

	/** Nothing of the calls is kept. */
	void abandonCalls() {
		this.inFlight.removeIf((call) -> true).forEach(ServerCall::abandon);
	}

	/** Any thread. */
	void enqueue(ServerCall call) {
		if (!this.queue.enqueue(call)) {
			call.rejected();
		}
	}

	/**
	 * Write an answer at once, where that is possible.
	 * @return false if it has to be enqueued
	 */
	boolean writeNow(ServerCall call, byte[] reply) {
		return this.queue.writeNow(call, reply);
	}

	/** A call that was counted as in flight is over. Any thread. */
	void callEnded() {
		callsEnded(1);
	}

	private void callsEnded(int calls) {
		if (this.server.inFlight.addAndGet(-calls) == 0 && this.server.isDraining) {
			this.server.noCallInFlight();
		}
	}

	/** The same on the event loop: it is recorded and counted with its batch. */
	void callEnded(ServerMethod method, RpcStatus status, long startNanos) {
		this.ended++;
		this.tally.add(method.recorder(), status, this.queue.drainNanos() - startNanos);
	}

	private void afterBatch() {
		this.replies.settle();
		if (this.ended > 0) {
			int calls = this.ended;
			this.ended = 0;
			callsEnded(calls);
			this.tally.publish();
		}
	}

	ServerRuntime server() {
		return this.server;
	}

	/** The largest body that client and server both allow. Any thread. */
	int maxResponse() {
		return this.maxResponse;
	}

}
