package io.rpcboot.internal.server.call;

import java.lang.reflect.InvocationTargetException;
import java.util.function.IntPredicate;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.context.ServedCall;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Call at the server, whatever its protocol: the task that runs it, and the state of its
 * response. One thread at a time runs it; then its {@link ResponseSink} sends the
 * response. {@link CallResponder} answers calls without a result. Any thread may cancel.
 */
public final class ServerCall extends ScheduledCall implements ServedCall, OutputBuffer.Overflow {

	/** One call in 64 reports its wait for a thread, and one the time of its write. */
	private static final int SAMPLE_MASK = 63;

	private static final int WAIT_SAMPLE = 1;

	private static final int WRITE_SAMPLE = 0;

	final CallResponder responder;

	public final ResponseSink sink;

	/** Number of the call modulo 64, from 1 on. */
	private final byte sample;

	/** Attachments of the request, null without any and once they are read. */
	public @Nullable RequestAttachments unread;

	/** Result that is not complete; null without one. */
	volatile @Nullable RunningResult pending;

	/** Null until the first use. Written by the thread that runs the call. */
	volatile @Nullable ServerCallContext context;

	/** Proof that was decided about; written before the method begins. */
	public CallerProof caller;

	/** True if the method may have run; never false again. */
	boolean invoked;

	/** True once the response, or the end without one, goes to the write queue. */
	public boolean responseStarted;

	/** True if the thread may wait for memory while it serializes the response. */
	private boolean mayWait;

	/** Memory of the response; null while that is small. */
	private @Nullable ResponseReservation memory;

	/** True if the response was blocked by the socket or the window. Event loop only. */
	private boolean blocked;

	/** Time of the result, see {@link WriteLatencySampler}; 0 if not sampled. */
	private int respondedMicros;

	/**
	 * Creates a call that has arrived.
	 * @param requestSize body of the request in bytes, as counted in the window
	 * @param startNanos arrival, as {@link System#nanoTime()}
	 * @param allowedNanos time allowed from then; {@link Long#MAX_VALUE} for any time
	 */
	public ServerCall(CallResponder responder, ResponseSink sink, Invocation invocation, boolean oneWay,
			int requestSize, long startNanos, long allowedNanos) {
		super(invocation, oneWay, requestSize, startNanos, allowedNanos);
		this.responder = responder;
		this.sink = sink;
		this.sample = (byte) (++responder.arrived & SAMPLE_MASK);
		this.caller = responder.caller;
	}

	public boolean isOf(ServerResources server) {
		return this.responder.server == server;
	}

	/**
	 * Hands the call to a thread.
	 * @return true if workers must be woken for it
	 */
	public boolean dispatch() {
		if (this.method.dispatch == Dispatch.POOL) {
			this.responder.server.workers.publish(this);
			return true;
		}
		this.responder.server.virtualThreads.execute(this);
		return false;
	}

	@Override
	public void run() {
		try {
			execute();
		}
		catch (Throwable ex) {
			this.responder.unexpected(this, ex);
		}
	}

	private void execute() {
		if (this.cancelled) {
			endUnrun();
			return;
		}
		if (this.method.dispatch != Dispatch.EVENT_LOOP && !hasTime()) {
			return;
		}
		if ((this.responder.server.memory.isShort || this.method.results.expected > 0)
				&& !this.responder.admits(this, this.method.dispatch != Dispatch.EVENT_LOOP)) {
			return;
		}
		byte[] source = (this.length > SMALL_REQUEST) ? this.responder.takeRequest(this) : this.request;
		if (source == OutboundFrame.NOTHING && this.length > 0) { // the connection ended
			this.responder.finishAbandoned(this);
			return;
		}
		if ((this.unread != null || this.method.chain != null) && intercept(source)) {
			return;
		}
		@Nullable Object[] arguments;
		try {
			arguments = read(source);
		}
		catch (RuntimeException | StackOverflowError ex) {
			this.responder.reject(this, ErrorResponse.statusOfUnreadable(ex), this.responder.unreadable(this, ex));
			return;
		}
		try {
			returned(invoke(arguments));
		}
		catch (Throwable ex) {
			this.responder.thrown(this, (ex instanceof InvocationTargetException) ? ex.getCause() : ex);
		}
	}

	/** Returns false if the call was rejected, because too little time is left. */
	private boolean hasTime() {
		long now = System.nanoTime();
		boolean slow = now - this.queuedOrStartedNanos >= ServiceQueue.SLOW_NANOS && !this.awaitedMemory;
		if (slow || this.sample == WAIT_SAMPLE) {
			dequeued(slow, now - this.queuedOrStartedNanos);
		}
		this.started = true;
		this.queuedOrStartedNanos = now;
		return this.allowedNanos - (now - this.startNanos) >= (slow ? this.method.times.min : 0) || runsAsProbe(now);
	}

	private void dequeued(boolean slow, long waitedNanos) {
		if (slow && this.method.dispatch == Dispatch.POOL) {
			this.responder.server.queue.slow();
		}
		if (this.sample == WAIT_SAMPLE && !this.awaitedMemory) {
			this.responder.server.recorder.started(waitedNanos);
		}
	}

	/**
	 * Returns true if the call runs although too little time is left; else rejects it.
	 */
	private boolean runsAsProbe(long now) {
		long left = this.allowedNanos - (now - this.startNanos);
		if (left >= 0 && this.method.times.isProbe(this.queuedOrStartedNanos)) {
			return true;
		}
		this.started = false;
		this.responder.rejectLate(this, left);
		return false;
	}

	/** Returns true if the call runs through interceptors or was rejected. */
	private boolean intercept(byte[] source) {
		if (this.unread != null && (!readAttachments(this.unread, source) || this.responder.keepsOut(this, source))) {
			return true;
		}
		ServerInterceptorChain chain = this.method.chain;
		if (chain == null) {
			return false;
		}
		InterceptedExecution.run(this, chain, source);
		return true;
	}

	/** Returns false if the call was rejected, because of its attachments. */
	private boolean readAttachments(RequestAttachments attachments, byte[] source) {
		try {
			RequestAttachments.Content read = attachments.read(source, this.offset, this.offset + this.length);
			this.context = newContext(read.attachments());
			this.unread = null;
			this.length -= read.arguments() - this.offset;
			this.offset = read.arguments();
			return true;
		}
		catch (RpcException ex) {
			this.responder.reject(this, ex.status(), String.valueOf(ex.getMessage()));
			return false;
		}
	}

	@Nullable Object[] read(byte[] source) {
		@Nullable Object[] arguments = this.method.takesStream ? this.responder.streamedArguments(this, source)
				: this.invocation.codec.deserializeArguments(source, this.offset, this.length);
		if (this.method.dispatch == Dispatch.EVENT_LOOP) {
			this.request = OutboundFrame.NOTHING; // the array belongs to the event loop
		}
		else if (source != this.request) {
			ByteArrayPool.SHARED.give(source);
		}
		return arguments;
	}

	@Nullable Object invoke(@Nullable Object[] arguments) throws ReflectiveOperationException {
		if (this.caller.endMillis != CallerProof.NO_END) {
			this.caller.requireValid();
		}
		this.invoked = true;
		Object own = this.invocation.target;
		return this.method.method.invoke((own != null) ? own : this.method.implementation.get(), arguments);
	}

	/** Answers with what the method has returned, or follows its stage or stream. */
	void returned(@Nullable Object result) {
		if (!this.method.answersLater || !this.responder.follows(this, result)) {
			this.mayWait = this.method.dispatch != Dispatch.EVENT_LOOP;
			answer(result);
		}
	}

	/** Answers with the outcome of a stage. Never throws. Any thread. */
	@Nullable Void completed(@Nullable Object result, @Nullable Throwable failure) {
		try {
			if (failure == null) {
				answer(result);
			}
			else {
				this.responder.failed(this, interceptors(), failure);
			}
		}
		catch (Throwable ex) {
			this.responder.unexpected(this, ex);
		}
		return null;
	}

	private void answer(@Nullable Object result) {
		if (this.oneWay) {
			this.responder.finish(this, RpcStatus.OK);
			return;
		}
		OutputBuffer out = this.responder.server.buffers.acquire();
		try {
			out.overflow(this.method.takesStream ? null : this);
			if (this.context != null) { // without one there are no attachments
				if (isTimeOver()) { // it may have been told, and the result is a part
					fail(ErrorResponse.of(RpcStatus.DEADLINE_EXCEEDED, "its result came after its deadline"));
					return;
				}
				this.context.attach(this.sink, this.responder.connection.maxResponse(), out);
			}
			this.invocation.codec.serializeResult(result, out);
			send(RpcStatus.OK, out);
		}
		catch (SerializationException | MemoryShortageException ex) {
			this.responder.unserializable(this, ex);
		}
		finally {
			this.responder.server.buffers.release(out);
		}
	}

	/** Returns the attachments of the response, null without any. */
	@Nullable Attachments responseAttachments() {
		return (this.context != null) ? this.context.response() : null;
	}

	void send(RpcStatus outcome, OutputBuffer out) {
		int size = out.length();
		if (size > this.responder.connection.maxResponse()) {
			throw new MessageTooLargeException(this.responder.connection.maxResponse());
		}
		this.status = outcome;
		if (this.method.results.expected > 0) {
			this.method.results.made(size, this.responder.server.memory.isCalm(), System.nanoTime());
		}
		this.sink.reply(outcome, out);
	}

	void fail(ErrorResponse error) {
		dropRequest(); // its bytes go back to the window before the response is read
		if (this.invoked && this.method.results.expected > 0) {
			this.method.results.made(0, this.responder.server.memory.isCalm(), System.nanoTime());
		}
		answersFailure(error.message(), error.type());
		this.status = error.status();
		releaseMemory();
		this.sink.end(error, responseAttachments());
	}

	void end(RpcStatus outcome) {
		dropRequest();
		releaseMemory();
		this.status = outcome;
		this.sink.drop();
	}

	/** Appends to a response that is too long for an array. */
	@Override
	public void write(byte[] source, int from, int count) {
		memory().body(this.mayWait).write(source, from, count);
	}

	@Override
	public void expect(int gathered, int range) {
		memory().body(this.mayWait).expect(gathered, range);
	}

	/** Returns why a long response is incomplete, null if there was memory. */
	@Nullable MemoryShortageException memoryShortage() {
		return (this.memory != null) ? this.memory.shortage() : null;
	}

	/**
	 * Gives a response that waits to the frame that will write it: in chunks if it is
	 * long, else in an array, which is that of the request for a small one.
	 * @throws MemoryShortageException if there is no memory in time
	 */
	public void keep(OutputBuffer out, OutboundFrame frame) {
		int size = out.length();
		if (size > OutboundFrame.LARGE_BODY) {
			ChunkedBody chunks = memory().body(this.mayWait);
			chunks.write(out.array(), 0, out.position());
			chunks.complete();
			frame.holds(OutboundFrame.NOTHING, size, chunks);
			memory().waits(size);
		}
		else if (size <= this.request.length) {
			System.arraycopy(out.array(), 0, this.request, 0, size);
			frame.holds(this.request, size, null);
			releaseMemory();
		}
		else {
			frame.holds(out.toByteArray(), size, null);
			this.responder.keepMemory(this, size);
		}
	}

	/** Ends the context; the response goes to the write queue next. */
	public void responding() {
		this.responseStarted = true;
		if (this.cancelled || this.context != null) {
			this.status = outcome();
			if (this.context != null) {
				this.context.ended(this.status);
			}
		}
		this.method.calls.increment();
		if (this.sample == WRITE_SAMPLE) {
			this.respondedMicros = WriteLatencySampler.micros(System.nanoTime());
		}
	}

	/**
	 * Cancels the call, unless it is one-way: ends it if it waits for a thread, for
	 * memory or for its credentials, runs its listeners, cancels its stage. Any thread.
	 */
	public void cancel() {
		this.cancelled = !this.oneWay;
		this.responder.giveUp(this);
		if (!this.oneWay && (!this.started || isQueued()) && this.method.dispatch == Dispatch.POOL) {
			this.responder.server.queue.cancelled(this);
		}
		ServerCallContext listened = this.context;
		if (listened != null) {
			listened.cancelled();
		}
		RunningResult incomplete = this.pending;
		if (incomplete != null && !this.oneWay) {
			incomplete.cancelSoon();
		}
	}

	@Override
	public void endUnrun() {
		this.responder.endUnrun(this);
	}

	/** Records that the response waits for the socket or the window. Event loop only. */
	public void responseBlocked() {
		if (!this.blocked) {
			this.blocked = true;
			this.responder.connection.watchBlocked();
		}
	}

	/** Returns true if the caller waits no more for the response. Event loop only. */
	public boolean isUnwanted() {
		if (!this.cancelled && this.blocked && isTimeOver()) {
			this.status = RpcStatus.DEADLINE_EXCEEDED;
			this.responder.server.memory.countDropped();
			this.cancelled = true;
		}
		return this.cancelled;
	}

	/** Counts the call out. Event loop only, any thread after REJECTED. */
	public void responseEnded(ResponseEnd how) {
		if (how == ResponseEnd.REJECTED) {
			rejected();
			return;
		}
		if (how == ResponseEnd.FAILED) {
			this.status = RpcStatus.CANCELLED;
		}
		else if (how == ResponseEnd.WRITTEN && this.respondedMicros != 0) {
			this.responder.server.recorder.written(WriteLatencySampler.since(this.respondedMicros, System.nanoTime()));
		}
		releaseMemory();
		this.responder.connection.callEnded(this);
	}

	private void rejected() {
		try {
			releaseMemory();
		}
		finally {
			try {
				recordUnwritten(this.responder.connection.remote());
			}
			finally {
				if (endArguments()) {
					this.responder.server.memory.account().release(Direction.INCOMING, this.requestSize);
				}
				this.responder.connection.callsEnded(1);
			}
		}
	}

	@Override
	public boolean hasRun() {
		return this.started && !this.blocked && this.status == RpcStatus.OK;
	}

	@Override
	protected void late() {
		if (this.started && !this.oneWay && this.method.dispatch == Dispatch.POOL) {
			this.responder.server.queue.slow();
		}
	}

	@Override
	protected boolean hasToldOutcome() {
		return this.context != null;
	}

	/**
	 * Cancels the call and drops its request, because the connection has ended. A one-way
	 * call still runs, unless there is no memory to keep its request, or its caller is
	 * not known yet. Event loop only.
	 * @param keep returns true if the memory of a request outlives the connection
	 */
	public void abandon(IntPredicate keep) {
		boolean droppable = isDroppable();
		if (droppable && (!this.oneWay || !keep.test(this.requestSize))) {
			dropRequest();
		}
		else if (droppable && !keepArguments()) { // it ended meanwhile
			this.responder.server.memory.account().release(Direction.INCOMING, this.requestSize);
		}
		cancel();
	}

	@Override
	protected int responseSize() {
		return this.sink.length();
	}

	@Override
	public void reserved(long bytes, long fromPool) {
		memory().reserved(bytes, fromPool);
	}

	ResponseReservation memory() {
		if (this.memory == null) {
			this.memory = new ResponseReservation(this, this.responder.server.memory,
					this.responder.connection.unsent());
		}
		return this.memory;
	}

	/** Releases the memory of the response, built or not. Twice does nothing. */
	void releaseMemory() {
		if (this.memory != null) {
			this.memory.free();
			this.memory = null;
		}
	}

	@Override
	public ServerCallContext context() {
		if (this.context == null) {
			this.context = newContext(Attachments.none());
		}
		return this.context;
	}

	private ServerCallContext newContext(Attachments attachments) {
		return new ServerCallContext(this, () -> this.caller.identity, this.responder.connection, attachments);
	}

	/** Returns the run through interceptors, null if there is none or it has ended. */
	ServerInterceptorChain.@Nullable Run interceptors() {
		ServerCallContext intercepted = this.context;
		return (intercepted != null) ? intercepted.run : null;
	}

	@Override
	public @Nullable String caller() {
		return this.caller.identity.isAuthenticated() ? this.caller.identity.getName() : null;
	}

	@Override
	public @Nullable CallRecorder recorder() {
		return (this.context != null) ? this.context.recorder() : this.invocation.recorder;
	}

}
