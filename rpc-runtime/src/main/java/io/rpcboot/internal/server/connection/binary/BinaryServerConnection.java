package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.call.RequestAttachments;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.MaxConnectionAge;
import io.rpcboot.internal.server.connection.ServerConnection;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.binary.FrameListener;
import io.rpcboot.internal.transport.binary.InboundBody;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client that speaks the native protocol: turns REQUEST and ONE_WAY
 * frames into calls, and keeps the table of calls in flight. Other frames go to
 * {@link ControlFrames}. Event loop only, except where a method says "Any thread".
 */
public final class BinaryServerConnection extends ServerConnection implements FrameListener {

	private final SendWindow replies;

	/** Methods by their number; none if the number is not bound or was rejected. */
	final IntObjectHashMap<Invocation> methods = new IntObjectHashMap<>();

	/** Calls without a written response. */
	public final CallTable<BinaryServerStream> inFlight = new CallTable<>();

	final ServerConnectionDrain drain;

	final CallWindow window;

	final ServerFlowControl flow;

	final CallRejector rejector;

	/** Reads the attachments of requests. */
	private final RequestAttachmentsReader attachments;

	private final ControlFrames control;

	private volatile int maxResponse;

	private volatile int maxAttachments;

	/** True once HELLO was answered; never false again. */
	private boolean introduced;

	/** Highest call id that has arrived. */
	private long lastId;

	/** Time at which the current bytes were read. */
	private long readNanos;

	/** Time for which the event loop stood still before that read, else 0. */
	private long gapNanos;

	public BinaryServerConnection(Connection connection, ServerResources server) {
		super(connection, server, server.access);
		this.replies = new SendWindow(this.queue);
		this.maxResponse = server.options.maxFrameSize;
		this.drain = this.life.drain;
		this.window = new CallWindow(server.calls, ServerResources.INITIAL_CALLS,
				server.newWindow(() -> connection.execute(() -> flow().reserved())));
		this.flow = new ServerFlowControl(connection, this.life, this.replies, this.window, server.options);
		this.rejector = new CallRejector(this, this.drain, this.flow, this.queue);
		this.attachments = new RequestAttachmentsReader(server.options.maxAttachments, server.access);
		this.control = new ControlFrames(connection, this, server);
	}

	@Override
	public void onOpen() {
		this.life.opened("HELLO");
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
			this.control.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
		}
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, InboundBody body) {
		if (this.introduced && (type == FrameType.REQUEST || type == FrameType.ONE_WAY)) {
			onRequest(type == FrameType.ONE_WAY, flags, code, callId, body.array(), 0, body.size(), body);
		}
		else {
			this.control.onFrame(type, flags, code, callId, body.join());
		}
	}

	private void onRequest(boolean oneWay, int flags, int code, long callId, byte[] bytes, int offset, int length,
			@Nullable InboundBody own) {
		if ((this.drain.goingAway || callId <= this.lastId) && isIgnored(oneWay, callId, length)) {
			return;
		}
		this.lastId = callId;
		if (!this.window.takes(length)) {
			this.rejector.overGrant(oneWay, callId);
			return;
		}
		if ((flags & FrameHeader.FLAG_LAST_GRANTED) != 0) {
			this.window.onExhausted();
		}
		if (this.window.isShort()) {
			this.flow.raise();
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
				this.rejector.afterGap(oneWay, callId, length, this.gapNanos);
				return;
			}
		}
		Invocation method = this.methods.get(code);
		if (method == null) {
			byte[] body = (own != null) ? own.join() : Arrays.copyOfRange(bytes, offset, end);
			this.control.onUnbound(oneWay, flags, code, callId, body, start - offset, allowedNanos);
			return;
		}
		BinaryServerStream stream = newStream(method, oneWay, callId, length, this.readNanos, allowedNanos);
		stream.call.unread = attachments(flags);
		if (admit(stream.call)) {
			start(stream, bytes, start, end, own);
		}
	}

	/** Returns a call that has arrived. */
	public BinaryServerStream newStream(Invocation method, boolean oneWay, long callId, int size, long startNanos,
			long allowedNanos) {
		BinaryServerStream stream = new BinaryServerStream(this, callId);
		stream.call = new ServerCall(this.responder, stream, method, oneWay, size, startNanos, allowedNanos);
		return stream;
	}

	/** Returns the reader of the attachments of a frame, null if it has none. */
	@Nullable RequestAttachments attachments(int flags) {
		return ((flags & FrameHeader.FLAG_ATTACHMENTS) != 0) ? this.attachments : null;
	}

	private boolean isIgnored(boolean oneWay, long callId, int length) {
		if (callId <= this.lastId) {
			throw new ProtocolException("call ids do not rise");
		}
		if (!this.drain.ignores(oneWay)) {
			return false;
		}
		this.window.bytes.takes(length); // the client counts it as used
		return true;
	}

	/**
	 * Starts a call that is counted as in flight.
	 * @param own holds the array if the call owns it, else null
	 */
	public void start(BinaryServerStream stream, byte[] bytes, int start, int end, @Nullable InboundBody own) {
		ServerCall call = stream.call;
		if (call.method.dispatch == Dispatch.EVENT_LOOP) {
			runHere(stream, bytes, start, end, own);
			return;
		}
		try {
			this.inFlight.put(stream);
			byte[] body = (own != null) ? bytes : OutboundFrame.copy(bytes, start, end);
			dispatch(call, body, (own != null) ? start : 0, end - start);
		}
		catch (Throwable ex) { // ends the connection
			this.inFlight.remove(stream.id());
			stream.onRejected();
			throw ex;
		}
	}

	/** Runs a call on this event loop; its arguments are read in place. */
	private void runHere(BinaryServerStream stream, byte[] bytes, int start, int end, @Nullable InboundBody own) {
		ServerCall call = stream.call;
		call.request(bytes, start, end - start);
		EventLoopThread.run(call);
		if (own != null) {
			ByteArrayPool.SHARED.give(bytes);
		}
		if (!stream.released) {
			this.inFlight.put(stream);
		}
	}

	@Override
	public boolean admits(int type, long callId, int length) {
		if (!this.introduced) {
			throw new ProtocolException("a body of %d bytes before HELLO".formatted(length));
		}
		if (this.flow.admits(type, length)) {
			return true;
		}
		this.rejector.overGrant(false, callId);
		return false;
	}

	@Override
	public void onReadComplete() {
		wakeWorkers();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.life.closed(cause);
	}

	/**
	 * Removes a call from the table and gives its request bytes back to the window of the
	 * client, because its response is written or skipped next.
	 */
	void release(BinaryServerStream stream) {
		this.inFlight.remove(stream.id());
		if (this.window.release(stream.call.requestSize)) {
			this.flow.raise();
		}
	}

	@Override
	protected void afterBatch() {
		this.replies.settle();
		super.afterBatch();
	}

	/** Opens the window, because HELLO was answered. */
	void admitCalls(int largestResponse, int largestAttachments) {
		this.maxResponse = largestResponse;
		this.maxAttachments = largestAttachments;
		this.introduced = true;
		this.window.open();
		this.flow.announce();
	}

	/** Ignores all calls, because HELLO was answered with GO_AWAY. */
	void admitNone() {
		this.introduced = true;
		this.drain.rejectAll(null);
	}

	@Override
	protected boolean isBusy() {
		return this.inFlight.size() > 0 || this.control.bindings.unboundCalls() > 0;
	}

	@Override
	protected long lastCall() {
		return this.lastId;
	}

	@Override
	protected CallTotals totals() {
		ReceiveWindow bytes = this.window.bytes;
		return new CallTotals(this.window.calls(), this.window.receivedCalls(), bytes.granted(), bytes.received(),
				(int) Math.max(0, this.window.inFlight()), this.control.bindings.unboundCalls(),
				bytes.reserved() + this.control.bindings.memoryBytes() + unsent().get());
	}

	@Override
	protected void requestReplacement() {
		sendGoAway(RpcStatus.OK, Long.MAX_VALUE, MaxConnectionAge.AGED, null);
	}

	@Override
	protected void announceGoAway(String why) {
		this.drain.start();
		sendGoAway(RpcStatus.OK, this.lastId, why, null);
	}

	@Override
	protected void leave(String why) {
		if (this.drain.goingAway) {
			this.life.left();
			return;
		}
		this.drain.start();
		sendGoAway(RpcStatus.UNAVAILABLE, this.lastId, why, this.life::left);
	}

	/**
	 * Sends GO_AWAY.
	 * @param lastServed id of the last call that is served
	 * @param afterwards run after the write, null for nothing
	 */
	void sendGoAway(RpcStatus status, long lastServed, String reason, @Nullable Runnable afterwards) {
		this.connection.goesAway();
		this.queue.enqueue(new ControlFrame(FrameType.GO_AWAY, status.code(), lastServed,
				reason.getBytes(StandardCharsets.UTF_8), afterwards));
	}

	@Override
	protected void onRefused(AccessDenial why) {
		this.control.onRefused(why);
	}

	@Override
	protected void onIdentified(CallerIdentity before, CallerProof proof) {
		this.control.onIdentified(before, proof);
	}

	@Override
	protected void afterFlush(Runnable task) {
		this.queue.enqueue(new ControlFrame(FrameType.PONG, 0, 0, OutboundFrame.NOTHING, task));
	}

	@Override
	protected void closeWithError(String why) {
		this.drain.closeWithError(why);
	}

	@Override
	protected void onIdleCheck(boolean isQuiet) {
		this.replies.yieldUnused();
	}

	@Override
	protected long progress() {
		return this.flow.progress();
	}

	@Override
	protected long blockedBytes() {
		return this.flow.blockedReplyBytes();
	}

	@Override
	protected void rejectFull(ServerCall call, String why) {
		this.rejector.reject(call.oneWay, ((BinaryServerStream) call.sink).id(), RpcStatus.RESOURCE_EXHAUSTED, why,
				call.requestSize, false);
	}

	/** Rejects a call without a method that was not counted. */
	void rejectFull(UnboundCall call) {
		this.rejector.reject(call.oneWay(), call.callId(), RpcStatus.RESOURCE_EXHAUSTED,
				full(this.server.options.maxInFlightCalls), call.body().length, false);
	}

	/** Admits a call that was counted before its method was known. */
	boolean admitsBound(ServerCall call) {
		int calls = Math.min(this.server.inFlight.get(),
				this.server.options.maxInFlightCalls + this.server.openStreams());
		return calls <= this.server.countingThreshold || admitsCounted(call, calls);
	}

	@Override
	protected void release() {
		try {
			this.flow.stop();
			abandonCalls();
		}
		finally {
			try {
				this.control.bindings.onClosed();
			}
			finally {
				this.window.close();
			}
		}
	}

	/** Returns a call without a written response, null if there is none of this id. */
	public @Nullable BinaryServerStream find(long callId) {
		return this.inFlight.get(callId);
	}

	/**
	 * Cancels all calls in flight and drops their arguments, because the connection has
	 * ended. One-way calls still run, unless the memory of their arguments is not
	 * reserved.
	 */
	private void abandonCalls() {
		this.inFlight.removeIf((stream) -> true).forEach((stream) -> stream.call.abandon(this.window.bytes::keep));
	}

	/** Returns the flow control of the client. */
	public ServerFlowControl flow() {
		return this.flow;
	}

	/** Returns the window of response bytes that the client grants. */
	public SendWindow replies() {
		return this.replies;
	}

	@Override
	public int maxResponse() {
		return this.maxResponse;
	}

	/** Returns the bytes of attachments that the client accepts. Any thread. */
	int maxAttachments() {
		return this.maxAttachments;
	}

}
