package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.connection.MaxConnectionAge;
import io.rpcboot.internal.server.connection.RequestCallers;
import io.rpcboot.internal.server.connection.ServerConnection;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.server.connection.http2.limits.SettingsExchange;
import io.rpcboot.internal.server.connection.http2.limits.StreamLimit;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.MinDataRateMonitor;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;
import io.rpcboot.internal.transport.http2.message.InboundMemory;
import io.rpcboot.internal.transport.http2.message.MessageStream;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.GrpcOptions;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a gRPC client at the server: keeps the table of open streams and starts
 * their calls. {@link Http2ServerFrames} receives the frames. Event loop only, except
 * where a method says "Any thread".
 */
public final class Http2ServerConnection extends ServerConnection implements MessageStream.Owner {

	/** Data of the PING that asks an idle client for a sign of life. */
	private static final long IDLE_PING = 0x69646c6500000000L;

	/** Id from which on a connection is replaced: ids end at 2^31. */
	private static final int LAST_USUAL_ID = 1 << 30;

	private static final int OVERDUE_MILLIS = 5000;

	/** Bytes of DATA over HTTP/1.1 that are given back together. */
	private static final int WRITTEN_STEP = 32 * 1024;

	/** Longest wait for the write of GOAWAY when the connection is closed at once. */
	private static final int LONGEST_FLUSH_MILLIS = 50;

	final Http2Output output;

	final ResponseHeaders headers;

	/** Streams that are open, and those whose call has not ended. */
	final CallTable<Http2Stream> streams = new CallTable<>();

	final StreamLimit limit;

	/** Calls with streams that begin at the end of the read. */
	private final ArrayDeque<RequestStream> beginning = new ArrayDeque<>(0);

	/** Number of streams in the table that were reset, and whose call has not ended. */
	private int resetStreams;

	/** Number of open streams whose request is complete, without those of several. */
	private int complete;

	/** Number of open streams of several messages. */
	private int several;

	/** True once streams know that no other one begins. Written by the event loop. */
	volatile boolean drains;

	final InboundMemory memory;

	final SettingsExchange settings;

	final RequestCallers callers;

	public final Http2ServerFrames frames;

	private final GracefulGoAway goAway;

	private final MinDataRateMonitor leastRate;

	/** Next check for late requests, null while no stream is open. */
	@Nullable Future<?> overdueTimer;

	/** Bytes of DATA over HTTP/1.1 that are not given back to the window. */
	private int written;

	/** Formats of requests that this connection takes. */
	final Set<ContentType> formats;

	/** Name of the bytes that the client has to send first. */
	private final String introduction;

	/**
	 * Creates a connection.
	 * @param introduction name of what the client has to send first
	 * @param output output in the version of HTTP that the client speaks
	 * @param headers writes the heads of responses in that version
	 * @param formats formats of requests that it takes
	 */
	public Http2ServerConnection(Connection connection, ServerResources server,
			Function<Http2ServerConnection, RequestOpener> requests, String introduction, Http2Output output,
			ResponseHeaders headers, Set<ContentType> formats) {
		super(connection, server, null);
		this.introduction = introduction;
		this.formats = formats;
		this.output = output;
		this.headers = headers;
		this.limit = new StreamLimit(server.calls, server.options.maxStreamsPerConnection);
		this.settings = new SettingsExchange(this.output, this.limit, server.options.maxAttachments);
		this.memory = new InboundMemory(server.memory.account(),
				(number) -> connection.execute(() -> admitMemory(number)), this::openRequest);
		this.callers = new RequestCallers(server.recorder);
		this.frames = new Http2ServerFrames(this, requests);
		this.goAway = new GracefulGoAway(connection, this.life, this.output, this.frames.closed::last,
				this::awaitsRequests);
		this.leastRate = new MinDataRateMonitor(connection, server.options.memory.leastRate(), this.memory,
				this::closeAtOnce);
	}

	/** Registers the connection, sends SETTINGS and waits for those of the client. */
	void opened() {
		this.life.opened(this.introduction);
		this.life.identity.introduced();
		this.settings.open(this.frames.limits.headerList());
		this.output.windowUpdate(0, this.frames.limits.connectionWindow() - Http2Settings.DEFAULT_WINDOW_SIZE);
	}

	/** Completes the handshake: the first SETTINGS of the client have arrived. */
	void introduced() {
		this.life.introduced();
		CallerIdentity caller = this.responder.caller().identity;
		this.life.ready(caller);
		this.callers.count(caller);
		if (this.server.isDraining) { // the shutdown does not wait for its streams
			this.goAway.stopStreams(this.life.whyEnding());
		}
	}

	/** Returns the access of requests, null without limits. Event loop only. */
	@Nullable RequestAccess requestAccess() {
		AccessControl access = this.server.access;
		return (access != null) ? new RequestAccess(this.connection, this, this.responder, access, this.callers) : null;
	}

	/** Begins the call of a request at the end of the read. */
	void beginsSoon(RequestStream request) {
		this.beginning.add(request);
	}

	/** Begins the calls that begin at the end of the read, and wakes workers for all. */
	void beginStreamed() {
		for (RequestStream each = this.beginning.poll(); each != null; each = this.beginning.poll()) {
			each.begin();
		}
		wakeWorkers();
	}

	/**
	 * Starts a call whose request is complete.
	 * @param own true if the array belongs to the call
	 */
	void start(RequestStream stream, ServerCall call, byte[] bytes, int offset, int count, boolean own) {
		boolean admitted = call.method.isStreaming ? admitStream(call) : admit(call);
		this.goAway.onStreamEnded();
		if (!admitted) {
			return;
		}
		if (!call.method.isStreaming && this.limit.onRequest(++this.complete, this.streams.size() - this.several)) {
			this.settings.announceLimit();
		}
		if (call.method.dispatch == Dispatch.EVENT_LOOP) {
			call.request(bytes, offset, count);
			EventLoopThread.run(call);
			if (own && bytes.length > OutboundFrame.LARGE_BODY) {
				ByteArrayPool.SHARED.give(bytes);
			}
			return;
		}
		try {
			dispatch(call, own ? bytes : OutboundFrame.copy(bytes, offset, offset + count), own ? offset : 0, count);
		}
		catch (Throwable ex) { // ends the connection
			this.streams.remove(stream.id());
			stream.onNotDispatched();
			throw ex;
		}
	}

	/**
	 * Counts requests that are passed on, and complete or answered.
	 * @param requests 1 to count one in, -1 to count it out
	 */
	void passes(int requests) {
		this.complete += requests;
		if (requests > 0 && this.limit.onRequest(this.complete, this.streams.size() - this.several)) {
			this.settings.announceLimit();
		}
	}

	/** Counts a stream of several messages; returns false if it was rejected. */
	private boolean admitStream(ServerCall call) {
		String full = countsIn(call);
		if (full != null) {
			rejectFull(call, full);
			return false;
		}
		this.server.inFlight.incrementAndGet();
		this.several++;
		if (this.limit.onStream(this.several)) {
			this.settings.announceLimit();
		}
		return true;
	}

	/** Counts a stream as open; returns why there are too many, null if it is counted. */
	private @Nullable String countsIn(ServerCall call) {
		ServerOptions options = this.server.options;
		ServiceQueue ofService = call.method.queue;
		if (this.several >= options.maxStreamsPerConnection) {
			return "rpc.server.limits.streams-per-connection: " + this.several + " streams are open on the connection";
		}
		if (!ofService.tryOpenStream()) {
			return "rpc.server.services[%s].max-streams: %d streams of the service are open"
				.formatted(call.method.descriptor.service(), ofService.maxStreams());
		}
		if (!((RequestStream) call.sink).countsIn()) {
			ofService.streamClosed();
			return "rpc.server.limits.streams: " + options.maxStreams + " streams are open at the server";
		}
		return null;
	}

	@Override
	protected void rejectFull(ServerCall call, String why) {
		((RequestStream) call.sink).refuseFull(why);
	}

	/** Continues a long message whose memory is reserved. */
	private void admitMemory(long number) {
		InboundMemory.Request stream = this.memory.admit(number);
		if (stream != null) {
			stream.onMemory();
			watchRate();
		}
	}

	/**
	 * Removes a stream, because its end is written or skipped next. Gives its memory
	 * back.
	 */
	void release(Http2Stream stream) {
		if (this.streams.remove(stream.id()) != null) {
			if (stream.reset) {
				this.resetStreams--;
			}
			if (stream instanceof RequestStream ended && ended.call != null) {
				int several = ended.call.method.isStreaming ? 1 : 0;
				this.several -= several;
				this.complete -= 1 - several;
			}
			stream.onRemoved();
			this.goAway.onStreamEnded();
			if (!stream.remoteClosed) {
				this.frames.closed.endedHere(stream.streamId, this.limit.limit());
			}
		}
	}

	/** Counts a stream that is reset next. */
	void onStreamReset() {
		this.resetStreams++;
	}

	/**
	 * Returns true if no stream may be opened. Those that were reset are closed for the
	 * client, although their calls run; with them there may be twice the limit.
	 */
	boolean isFull() {
		int held = this.streams.size();
		return held - this.resetStreams >= this.limit.limit() || held >= 2 * this.limit.limit();
	}

	/**
	 * Checks from now on whether requests arrive in time, until no stream is open at a
	 * check: an idle connection has no timer for that.
	 */
	void watchOverdue() {
		this.overdueTimer = this.connection.loop().schedule(this::endOverdue, OVERDUE_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** Ends the streams whose request does not arrive in time. */
	private void endOverdue() {
		this.overdueTimer = null;
		long now = System.nanoTime();
		List<Http2Stream> overdue = new ArrayList<>();
		this.streams.forEach((stream) -> {
			if (stream.isOverdue(now)) {
				overdue.add(stream);
			}
		});
		overdue.forEach((stream) -> stream.reject(RpcStatus.DEADLINE_EXCEEDED, "the request did not arrive in time"));
		if (this.streams.size() > 0) {
			watchOverdue();
		}
	}

	/** Returns the lowest id of a stream whose request is kept back, 0 for none. */
	private long openRequest() {
		long[] oldest = { Long.MAX_VALUE };
		this.streams.forEach((stream) -> {
			if (stream instanceof RequestStream request && request.isOpenRequest()) {
				oldest[0] = Math.min(oldest[0], stream.streamId);
			}
		});
		return (oldest[0] != Long.MAX_VALUE) ? oldest[0] : 0;
	}

	/** Returns true while requests of calls arrive. */
	private boolean awaitsRequests() {
		return hasStream((stream) -> stream instanceof RequestStream request && request.call == null
				&& (!request.remoteClosed || request.isUndecided));
	}

	/**
	 * Returns true while calls are in flight. Streams of elements may be quiet, so their
	 * client has to answer PINGs, which HTTP/1.1 does not have.
	 */
	@Override
	protected boolean isActive() {
		boolean asks = this.output.writer.hasPing();
		return hasStream((stream) -> stream instanceof RequestStream request
				&& !(asks && request.call != null && request.call.method.isStreaming));
	}

	@Override
	protected boolean isBusy() {
		return this.streams.size() > 0;
	}

	@Override
	protected long lastCall() {
		return this.frames.closed.last();
	}

	/** Replaces the connection before its ids end. */
	void onStreamId(int streamId) {
		if (streamId > LAST_USUAL_ID) {
			this.life.expire();
		}
	}

	private boolean hasStream(Predicate<Http2Stream> wanted) {
		boolean[] found = new boolean[1];
		this.streams.forEach((stream) -> found[0] |= wanted.test(stream));
		return found[0];
	}

	@Override
	protected void requestReplacement() {
		this.goAway.announce(MaxConnectionAge.AGED);
		tellDrain();
	}

	@Override
	protected void announceGoAway(String why) {
		this.goAway.stopStreams(why);
		tellDrain();
	}

	@Override
	protected void leave(String why) {
		this.goAway.leave(why);
		tellDrain();
	}

	/** Tells the streams that the connection ends with them. */
	private void tellDrain() {
		if (!this.drains) {
			this.drains = true;
			this.streams.forEach((stream) -> {
				if (stream instanceof RequestStream open) {
					open.onDrain();
				}
			});
		}
	}

	/** Returns true if the page that sends a request, if it is one, may call. */
	boolean admits(RequestHeaders request) {
		return request.asked().origin() == null
				|| this.server.cors.admits(request.asked(), this.connection.isEncrypted(), request.authority());
	}

	/** Returns true if the body of a request is wanted. For HTTP/1.1. */
	public boolean isAwaited(int streamId) {
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		return stream != null && !stream.isAnswered();
	}

	/** Answers a request that is no call without its body. For HTTP/1.1. */
	public void answerEarly(int streamId) {
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		if (stream != null) {
			stream.answerEarly();
		}
	}

	/** Sends bytes beside all streams. For HTTP/1.1. */
	public void sendInterim(byte[] bytes) {
		this.output.control((writer, out) -> out.writeBytes(bytes));
	}

	/**
	 * Gives DATA back to the window once they are with the socket: HTTP/1.1 has no
	 * windows of the client.
	 */
	public void onWritten(int bytes) {
		this.written += bytes;
		if (this.written >= WRITTEN_STEP) {
			int returned = this.written;
			this.written = 0;
			this.output.afterFlush(() -> {
				this.output.onWindowUpdate(returned);
				onWindowUpdate();
			});
		}
	}

	/** Handles the acknowledgement of a PING. */
	void onPingAck(long data) {
		this.goAway.onPingAck(data);
	}

	/** Closes the connection with GOAWAY, because of a fault of the client. */
	void onConnectionError(Http2Exception error) {
		close(error.error(), String.valueOf(error.getMessage()), this.life.drain::closeAfterFlush);
	}

	@Override
	protected void closeWithError(String why) {
		close(Http2Error.NO_ERROR, why, this.life.drain::closeAfterFlush);
	}

	@Override
	public void closeAtOnce(String why) {
		close(Http2Error.NO_ERROR, why, () -> {
			this.output.afterFlush(this.connection::close);
			this.connection.loop().schedule(this.connection::close, LONGEST_FLUSH_MILLIS, TimeUnit.MILLISECONDS);
		});
	}

	private void close(Http2Error error, String why, Runnable close) {
		ServerConnectionDrain drain = this.life.drain;
		if (drain.closed || drain.problem != null) {
			return;
		}
		this.goAway.send(error, why);
		drain.rejectAll(why);
		drain.warn("Connection closed", why);
		close.run();
	}

	@Override
	public void afterFlush(Runnable task) {
		this.output.afterFlush(task);
	}

	@Override
	protected void onIdleCheck(boolean isQuiet) {
		if (isQuiet) {
			this.output.control((writer, out) -> writer.ping(out, IDLE_PING));
		}
		this.settings.shrinkLimit(this.several);
	}

	@Override
	protected long progress() {
		return this.output.sent() + (this.output.blocked.waitsForWindow() ? 0 : this.queue.completedWrites());
	}

	@Override
	protected long blockedBytes() {
		return this.output.blockedBytes();
	}

	/** Notes that the client reads responses. */
	void onWindowUpdate() {
		if (this.output.raised() >= ReceiveWindow.SHARE && this.output.sent() > 0) {
			this.life.progress.onResultsTaken();
		}
	}

	@Override
	protected void onIdentified(CallerIdentity before, CallerProof proof) {
		// requests have credentials of their own
	}

	@Override
	protected CallerIdentity shown(CallerIdentity ofConnection) {
		return this.callers.last(ofConnection);
	}

	@Override
	protected CallTotals totals() {
		int used = Http2Stream.number(this.frames.closed.last());
		int open = this.streams.size();
		return new CallTotals(used + this.limit.limit() - open, used, this.frames.received(), this.frames.received(),
				open, 0, this.memory.reserved() + unsent().get());
	}

	@Override
	protected void release() {
		try {
			this.leastRate.stop();
			if (this.overdueTimer != null) {
				this.overdueTimer.cancel(false);
			}
			this.streams.removeIf((stream) -> true).forEach(Http2Stream::onConnectionClosed);
		}
		finally {
			this.memory.close();
			this.limit.close();
		}
	}

	/** Returns true if responses are compressed for clients that read them. */
	boolean compresses() {
		return this.server.options.grpc.compression() == GrpcOptions.Compression.GZIP;
	}

	/** Logs a request that was rejected before it became a call. */
	void logRejected(RpcStatus status, String why) {
		this.server.log.warn("Request rejected", status, () -> this.connection + ": " + why, null);
	}

	/**
	 * Runs a task on the event loop, later. Any thread.
	 * @return false if the connection ends
	 */
	boolean execute(Runnable task) {
		return this.connection.execute(task);
	}

	/** Runs a task on the event loop: now if the caller is on it. Any thread. */
	void executeNow(Runnable task) {
		this.connection.executeNow(task);
	}

	MemoryBudget budget() {
		return this.server.memory.account();
	}

	@Override
	public InboundMemory memory() {
		return this.memory;
	}

	@Override
	public void watchRate() {
		this.leastRate.watch();
	}

	@Override
	public int maxMessage() {
		return this.server.options.maxFrameSize;
	}

	@Override
	public Side side() {
		return Side.SERVER;
	}

	@Override
	public long readNanos() {
		return this.frames.readNanos();
	}

	@Override
	public int maxResponse() {
		return this.server.options.maxFrameSize;
	}

}
