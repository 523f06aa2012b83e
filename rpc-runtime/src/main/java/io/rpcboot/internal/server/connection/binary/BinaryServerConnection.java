package io.rpcboot.internal.server.connection.binary;

import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.netty.util.collection.IntObjectHashMap;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.call.CallResponder;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.binary.FrameDecoder;
import io.rpcboot.internal.transport.binary.FrameListener;
import io.rpcboot.internal.transport.binary.InboundBody;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.write.WriteQueue;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a client at the server: turns REQUEST and ONE_WAY frames into calls,
 * keeps the table of calls in flight and counts them out. Other frames go to
 * {@link ServerProtocolHandler}. Event loop only, except where {@link ServerTransport}
 * allows any thread.
 */
public final class ServerConnection implements ServerTransport, FrameListener {

	private final Connection connection;

	private final ServerResources server;

	final WriteQueue queue;

	private final SendWindow replies;

	/** Batch of recorded calls; null without metrics. */
	private final @Nullable CallBatch batch;

	/** Methods by their number; none if the number is not bound or was rejected. */
	final IntObjectHashMap<ServerMethod> methods = new IntObjectHashMap<>();

	/** Calls without a written response. */
	public final CallTable<BinaryServerStream> inFlight = new CallTable<>();

	private final AtomicLong unsent = new AtomicLong();

	final ServerConnectionDrain drain;

	final CallWindow window;

	final ServerFlowControl flow;

	final CallRejector rejector;

	public final CallResponder responder;

	private final ServerProtocolHandler protocol;

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

	/** Calls of the current write batch that are recorded and not counted out yet. */
	private int ended;

	/** True if a call was published since a worker was woken. */
	private boolean published;

	public ServerConnection(Connection connection, ServerResources server) {
		this.connection = connection;
		this.server = server;
		this.queue = connection.queue();
		this.replies = new SendWindow(this.queue);
		this.batch = server.options.metrics.isNone() ? null : new CallBatch(connection.remote());
		this.maxResponse = server.options.maxFrameSize;
		this.drain = new ServerConnectionDrain(connection, server.log,
				(then) -> this.queue.enqueue(new ControlFrame(FrameType.PONG, 0, 0, OutboundFrame.NOTHING, then)));
		this.window = new CallWindow(server.calls, ServerResources.INITIAL_CALLS,
				server.newWindow(() -> connection.execute(() -> flow().reserved())));
		this.flow = new ServerFlowControl(connection, this, this.replies, this.drain, this.window, server.options);
		this.rejector = new CallRejector(this, this.drain, this.flow, this.queue);
		this.responder = new CallResponder(this, server);
		this.protocol = new ServerProtocolHandler(connection, this, server);
		this.queue.afterBatch(this::afterBatch);
	}

	/** Returns the handler of received bytes for a new connection. */
	public static InboundHandler open(Connection connection, ServerResources server) {
		return new FrameDecoder(server.options.maxFrameSize, connection, new ServerConnection(connection, server));
	}

	@Override
	public void onOpen() {
		this.protocol.onOpen();
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
			this.protocol.onFrame(type, flags, code, callId, Arrays.copyOfRange(bytes, offset, offset + length));
		}
	}

	@Override
	public void onBody(int type, int flags, int code, long callId, InboundBody body) {
		if (this.introduced && (type == FrameType.REQUEST || type == FrameType.ONE_WAY)) {
			onRequest(type == FrameType.ONE_WAY, flags, code, callId, body.array(), 0, body.size(), body);
		}
		else {
			this.protocol.onFrame(type, flags, code, callId, body.join());
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
		ServerMethod method = this.methods.get(code);
		if (method == null) {
			byte[] body = (own != null) ? own.join() : Arrays.copyOfRange(bytes, offset, end);
			this.protocol.onUnbound(oneWay, flags, code, callId, body, start - offset, allowedNanos);
			return;
		}
		BinaryServerStream stream = newStream(method, oneWay, callId, length, this.readNanos, allowedNanos);
		int calls = this.server.inFlight.incrementAndGet();
		stream.call.hasAttachments = (flags & FrameHeader.FLAG_ATTACHMENTS) != 0;
		if (calls <= this.server.countingThreshold || this.rejector.admits(stream.call, calls)) {
			start(stream, bytes, start, end, own);
		}
	}

	/** Returns a call that has arrived. */
	public BinaryServerStream newStream(ServerMethod method, boolean oneWay, long callId, int size, long startNanos,
			long allowedNanos) {
		BinaryServerStream stream = new BinaryServerStream(this, callId);
		stream.call = new ServerCall(this.responder, stream, method, oneWay, size, startNanos, allowedNanos);
		return stream;
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
			call.request(body, (own != null) ? start : 0, end - start);
			this.published |= call.dispatch();
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
		if (this.published) {
			this.published = false;
			this.server.workers.wake();
		}
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.protocol.onClosed(cause);
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
	public void callEnded(ScheduledCall call) {
		this.ended++;
		call.ended(this.queue.drainNanos(), this.batch);
	}

	private void afterBatch() {
		this.replies.settle();
		if (this.ended > 0) {
			int calls = this.ended;
			this.ended = 0;
			callsEnded(calls);
			if (this.batch != null) {
				this.batch.publish();
			}
		}
	}

	@Override
	public String remote() {
		return this.connection.remote();
	}

	@Override
	public void callsEnded(int calls) {
		if (this.server.inFlight.addAndGet(-calls) == 0 && this.server.isDraining) {
			this.server.onIdle();
		}
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

	/** Rejects later calls; returns the id of the last call that is served. */
	long goAway() {
		this.drain.start();
		return this.lastId;
	}

	/** Returns the highest call id that has arrived. */
	long lastId() {
		return this.lastId;
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
	void abandonCalls() {
		this.inFlight.removeIf((stream) -> true).forEach((stream) -> stream.call.abandon(this.window.bytes::keep));
	}

	/** Returns the flow control of the client. */
	public ServerFlowControl flow() {
		return this.flow;
	}

	@Override
	public ServerResources server() {
		return this.server;
	}

	/** Returns the window of response bytes that the client grants. */
	public SendWindow replies() {
		return this.replies;
	}

	@Override
	public AtomicLong unsent() {
		return this.unsent;
	}

	@Override
	public int maxResponse() {
		return this.maxResponse;
	}

	/** Returns the bytes of attachments that the client accepts. Any thread. */
	int maxAttachments() {
		return this.maxAttachments;
	}

	@Override
	public boolean isEncrypted() {
		return this.connection.isEncrypted();
	}

	@Override
	public @Nullable RpcConnection listened() {
		return this.protocol.listened();
	}

	@Override
	public boolean takesResults() {
		return this.flow.progress.takesResults();
	}

	@Override
	public void watchBlocked() {
		this.flow.progress.watchBlocked();
	}

	@Override
	public void dropped(Object kind, Supplier<String> detail) {
		this.server.counts.dropped.increment();
		this.server.log.warn("One-way call dropped", kind, () -> this.connection + ": " + detail.get(), null);
	}

	@Override
	public @Nullable Future<?> schedule(Runnable task, long delayNanos) {
		try {
			return this.connection.loop().schedule(task, delayNanos, TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return null;
		}
	}

	@Override
	public void closeNow() {
		this.connection.close();
	}

}
