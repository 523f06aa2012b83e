package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.call.CallResponder;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.grpc.GrpcMethods;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.http2.Http2Handler;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.inbound.InboundMemory;
import io.rpcboot.internal.transport.http2.inbound.InboundStream;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a gRPC client at the server: keeps the table of open streams, starts
 * their calls and counts them out. {@link Http2ServerFrames} receives the frames,
 * {@link Http2ServerProtocol} knows the life of the connection. Event loop only, except
 * where {@link ServerTransport} allows any thread.
 */
public final class Http2ServerConnection implements ServerTransport, InboundStream.Owner {

	private final Connection connection;

	private final ServerResources server;

	final Http2Output output;

	final ResponseHeaders headers;

	/** Streams that are open, and those whose call has not ended. */
	final CallTable<InboundStream> streams = new CallTable<>();

	final StreamLimit limit;

	/** Number of open streams whose request is complete. */
	private int complete;

	final InboundMemory memory;

	final CallResponder responder;

	final Http2ServerProtocol protocol;

	final Http2ServerFrames frames;

	/** Batch of recorded calls; null without metrics. */
	private final @Nullable CallBatch batch;

	private final AtomicLong unsent = new AtomicLong();

	/** Calls of the current write batch that are recorded and not counted out yet. */
	private int ended;

	/** True if a call was published since a worker was woken. */
	private boolean published;

	private Http2ServerConnection(Connection connection, ServerResources server, GrpcMethods methods) {
		this.connection = connection;
		this.server = server;
		this.output = new Http2Output(connection.queue());
		this.headers = new ResponseHeaders(this.output.writer);
		this.batch = server.options.metrics.isNone() ? null : new CallBatch(connection.remote());
		this.limit = new StreamLimit(server.calls);
		this.memory = new InboundMemory(server.memory.account(),
				(number) -> connection.execute(() -> admitMemory(number)));
		this.responder = new CallResponder(this, server);
		this.protocol = new Http2ServerProtocol(connection, this, server);
		this.frames = new Http2ServerFrames(this, methods);
		connection.queue().afterBatch(this::afterBatch);
	}

	/** Returns the handler of received bytes for a new connection. */
	public static InboundHandler open(Connection connection, ServerResources server, GrpcMethods methods) {
		Http2ServerFrames frames = new Http2ServerConnection(connection, server, methods).frames;
		return new Http2Handler(connection, frames, (chunk) -> Http2FrameReader.server(chunk,
				new RequestHeaderResolver(methods), frames.maxHeaderList(), System::nanoTime, frames));
	}

	/** Returns the access of requests, null without limits. Event loop only. */
	@Nullable RequestAccess requestAccess() {
		AccessControl access = this.server.access;
		return (access != null)
				? new RequestAccess(this.connection, this, this.responder, access, this.protocol.callers) : null;
	}

	/**
	 * Starts a call whose request is complete.
	 * @param own true if the array belongs to the call
	 */
	void start(Http2ServerStream stream, ServerCall call, byte[] bytes, int offset, int count, boolean own) {
		int calls = this.server.inFlight.incrementAndGet();
		this.protocol.onStreamEnded();
		if (calls > this.server.countingThreshold && !admits(stream, call, calls)) {
			return;
		}
		this.complete++;
		if (this.limit.onRequest(this.complete, this.streams.size())) {
			this.protocol.announceLimit();
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
			call.request(own ? bytes : OutboundFrame.copy(bytes, offset, offset + count), own ? offset : 0, count);
			this.published |= call.dispatch();
		}
		catch (Throwable ex) { // ends the connection
			this.streams.remove(stream.id());
			stream.onRejected();
			throw ex;
		}
	}

	/** Returns false if the call was rejected, because too many are in flight. */
	private boolean admits(Http2ServerStream stream, ServerCall call, int calls) {
		boolean isOverLimit = calls > this.server.options.maxInFlightCalls;
		if (!isOverLimit && call.method.queue.tryJoinOverflow()) {
			call.countsAgainstService = true;
			return true;
		}
		callsEnded(1);
		stream.call = null;
		stream.refuse(RpcStatus.RESOURCE_EXHAUSTED,
				"rpc.server.limits.in-flight-calls: %d calls are in flight at the server%s".formatted(
						isOverLimit ? this.server.options.maxInFlightCalls : calls,
						isOverLimit ? "" : ", and too many of this service"));
		return false;
	}

	/** Wakes a worker if calls were published. */
	void wakeWorkers() {
		if (this.published) {
			this.published = false;
			this.server.workers.wake();
		}
	}

	/** Continues a long message whose memory is reserved. */
	private void admitMemory(long number) {
		InboundMemory.Request stream = this.memory.admit(number);
		if (stream != null) {
			stream.onMemory();
			this.protocol.watchRate();
		}
	}

	/**
	 * Removes a stream, because its end is written or skipped next. Gives its memory
	 * back.
	 */
	void release(InboundStream stream) {
		if (this.streams.remove(stream.id()) != null) {
			if (stream instanceof Http2ServerStream ended && ended.call != null) {
				this.complete--;
			}
			stream.releaseMemory();
			this.protocol.onStreamEnded();
			if (!stream.remoteClosed) {
				this.frames.closed.endedHere(stream.streamId, this.limit.limit());
			}
		}
	}

	/** Ends the streams whose request does not arrive in time. */
	void endOverdue() {
		long now = System.nanoTime();
		List<InboundStream> overdue = new ArrayList<>();
		this.streams.forEach((stream) -> {
			boolean isBetween = stream instanceof BuiltInCall && stream.message() == null;
			if (!isBetween && stream.isOverdue(now)) {
				overdue.add(stream);
			}
		});
		overdue.forEach((stream) -> stream.reject(RpcStatus.DEADLINE_EXCEEDED, "the request did not arrive in time"));
	}

	/** Returns true while requests of calls arrive. */
	boolean awaitsRequests() {
		return hasStream((stream) -> stream instanceof Http2ServerStream request
				&& (!request.remoteClosed || request.isUndecided));
	}

	/** Returns true while a stream is open that no Watch of health keeps open. */
	boolean hasCalls() {
		return hasStream((stream) -> stream instanceof Http2ServerStream);
	}

	private boolean hasStream(Predicate<InboundStream> wanted) {
		boolean[] found = new boolean[1];
		this.streams.forEach((stream) -> found[0] |= wanted.test(stream));
		return found[0];
	}

	/** Ends all streams, because the connection is closed. */
	void abandonStreams() {
		this.streams.removeIf((stream) -> true).forEach(InboundStream::onConnectionClosed);
	}

	/** Logs a request that was rejected before it became a call. */
	void logRejected(RpcStatus status, String why) {
		this.server.log.warn("Request rejected", status, () -> this.connection + ": " + why, null);
	}

	/** Runs a task on the event loop, later. Any thread. */
	void execute(Runnable task) {
		this.connection.execute(task);
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
		this.protocol.watchRate();
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
	public void callEnded(ScheduledCall call) {
		this.ended++;
		call.ended(this.output.queue.drainNanos(), this.batch);
	}

	private void afterBatch() {
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
	public void callsEnded(int calls) {
		if (this.server.inFlight.addAndGet(-calls) == 0 && this.server.isDraining) {
			this.server.onIdle();
		}
	}

	@Override
	public ServerResources server() {
		return this.server;
	}

	@Override
	public AtomicLong unsent() {
		return this.unsent;
	}

	@Override
	public int maxResponse() {
		return this.server.options.maxFrameSize;
	}

	@Override
	public String remote() {
		return this.connection.remote();
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
		return this.protocol.progress().takesResults();
	}

	@Override
	public void watchBlocked() {
		this.protocol.progress().watchBlocked();
	}

	@Override
	public void dropped(Object kind, Supplier<String> detail) {
		throw new IllegalStateException("one-way calls have an answer over gRPC");
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
