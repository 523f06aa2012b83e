package io.rpcboot.internal.server.connection;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.runtime.CallCreditPool;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.InboundBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * The way of a call through its connection at the server: grant, method, calls in flight.
 * Stop before: frame decoder; stop after: worker pool. All state is confined to the event
 * loop.
 */
public final class ServerConnection extends ServerConnectionBase {

	private final Grant grant;

	private long readNanos;

	private long gapNanos;

	/** Calls of this batch that are over and not recorded yet. */
	private int ended;

	/** Whether a call was published and no worker was woken since. */
	private boolean published;

	public ServerConnection(Connection connection, ServerResources server) {
		super(connection, server);
		this.grant = new Grant(server.calls, ServerResources.FIRST_CALLS,
				server.newGrant(() -> connection.execute(() -> flow().admitted())));
		this.queue.afterBatch(this::afterBatch);
		this.duties = new ServerProtocolHandler(connection, this, server);
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.readNanos = nanos;
		this.gapNanos = gapNanos;
	}

	@Override
	public void onFrame(int type, int flags, int code, long callId, byte[] bytes, int offset, int length) {
		if (this.introduced && (type == FrameType.REQUEST || type == FrameType.ONE_WAY)) {
			onRequest(type == FrameType.ONE_WAY, flags, code, callId, bytes, offset, length, null);
		}
		else {
			this.duties.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
		}
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, InboundBody body) {
		if (this.introduced && (type == FrameType.REQUEST || type == FrameType.ONE_WAY)) {
			onRequest(type == FrameType.ONE_WAY, flags, code, callId, body.array(), 0, body.size(), body);
		}
		else {
			this.duties.onFrame(type, flags, code, callId, body.join());
		}
	}

	private void onRequest(boolean oneWay, int flags, int code, long callId, byte[] bytes, int offset, int length,
			@Nullable InboundBody own) {
		if ((this.goingAway || callId <= this.lastId) && isIgnored(oneWay, callId, length)) {
			return;
		}
		this.lastId = callId;
		if (!this.grant.takes(length)) {
			this.refusals.overGrant(oneWay, callId);
			return;
		}
		if ((flags & FrameHeader.FLAG_LAST_GRANTED) != 0) {
			this.grant.onExhausted();
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
				this.refusals.afterGap(oneWay, callId, length, this.gapNanos);
				return;
			}
		}
		ServerMethod method = this.methods.get(code);
		if (method == null) {
			byte[] body = (own != null) ? own.join() : Arrays.copyOfRange(bytes, offset, end);
			this.duties.onUnknown(oneWay, flags, code, callId, body, start - offset, allowedNanos);
			return;
		}
		ServerCall call = new ServerCall(this, method, oneWay, callId, length, this.readNanos, allowedNanos);
		int calls = this.server.inFlight.incrementAndGet();
		call.initFlags(flags);
		if (calls <= this.server.countingThreshold || this.refusals.admits(call, calls)) {
			start(call, bytes, start, end, own);
		}
	}

	@Override
	public void start(ServerCall call, byte[] bytes, int start, int end, @Nullable InboundBody own) {
		if (call.method.dispatch == Dispatch.EVENT_LOOP) {
			runHere(call, bytes, start, end, own);
			return;
		}
		try {
			this.inFlight.put(call);
			byte[] body = (own != null) ? bytes : OutboundFrame.copy(bytes, start, end);
			call.arguments(body, (own != null) ? start : 0, end - start, (own != null) ? own.value() : null);
			if (call.method.dispatch == Dispatch.POOL) {
				this.server.workers.publish(call);
				this.published = true;
			}
			else {
				this.server.virtualThreads.execute(call);
			}
		}
		catch (Throwable ex) {
			lost(call);
			throw ex;
		}
	}

	@Override
	public void onReadComplete() {
		if (this.published) {
			this.published = false;
			this.server.workers.wake();
		}
	}

	@Override
	protected void release(ScheduledCall call) {
		this.inFlight.remove(call.id());
		released(call.requestSize);
	}

	@Override
	public void released(int bytes) {
		if (this.grant.release(bytes)) {
			flow().raise();
		}
	}

	@Override
	protected void callsEnded(int calls) {
		if (this.server.inFlight.addAndGet(-calls) == 0 && this.server.isDraining) {
			this.server.onIdle();
		}
	}

	@Override
	protected void callEnded(ScheduledCall call) {
		this.ended++;
		long now = this.queue.drainNanos();
		if (this.tally != null) {
			this.tally.add(call.recorder(), call.status, now - call.startNanos);
			this.tally.carried(call.method.recorder, call.requestSize, call.length());
		}
		if (call.countsAgainstService) {
			call.method.line.leaveCrowd();
		}
		if (now - call.queuedOrStartedNanos < call.method.times.currentMin && call.hasRun()) {
			call.method.times.took(now - call.queuedOrStartedNanos);
		}
	}

	private void afterBatch() {
		this.replies.settle();
		if (this.ended > 0) {
			int calls = this.ended;
			this.ended = 0;
			callsEnded(calls);
			if (this.tally != null) {
				this.tally.publish();
			}
		}
	}

	@Override
	CallWindow grant() {
		return this.grant;
	}

	/** Counts what the client has sent. */
	public static final class Grant extends CallWindow {

		public Grant(CallCreditPool capacity, long firstCalls, ReceiveWindow bytes) {
			super(capacity, firstCalls, bytes);
		}

		/** A request arrived. Returns false if it was not granted. */
		public boolean takes(int size) {
			if (this.received >= this.granted || !this.bytes.takes(size)) {
				return false;
			}
			this.received++;
			return true;
		}

		/**
		 * Whether the client is about to use up what it has and may get more, although
		 * nothing was released: calls may wait for calls that follow them. Or it has used
		 * it up, and something was released.
		 */
		public boolean isShort() {
			long left = this.granted - this.received;
			return (4 * left <= this.window && this.window >= this.targetWindow) || (left == 0 && fresh() > 0);
		}

		/**
		 * A request needs no room any more. Returns whether it is time to raise the
		 * grant, or to say what is left of it: for a quarter of it, or for as much as the
		 * client has left. Calls that hang may have three quarters, and the others would
		 * wait whenever they have used the rest.
		 */
		public boolean release(int size) {
			this.released++;
			boolean fewBytes = this.bytes.release(size);
			long left = Math.max(1, this.granted - this.received);
			return fewBytes || this.released >= this.announceAt || fresh() >= Math.min(left, (this.window + 3) / 4);
		}

		/** Calls that were released and not granted again. */
		private long fresh() {
			return this.released + this.window - this.granted;
		}

	}

}
