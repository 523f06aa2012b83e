package io.rpcboot.internal.server.call;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CompletionStage;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.context.ServedCall;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.DetachedBytes;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Call at the server: the task that runs it and the frame of its response. One thread at
 * a time runs it, chosen by the dispatch of its method; then the event loop writes the
 * response. {@link CallResponder} answers calls without a result. Any thread may cancel.
 * The frame's flags, length and body are those of the request, then of the response:
 *
 * <pre>
 * phase      owner            flags       length     body
 * waiting    none             request     request    request; the loop may drop it
 * running    its thread       0 once read arguments  NOTHING if longer than 256 bytes
 * responding thread, queue    response    response   response, or its chunks
 * </pre>
 */
public final class ServerCall extends ScheduledCall implements ServedCall {

	/** One call in 64 reports its wait for a thread: call id modulo 64 is 1. */
	private static final int SAMPLE_MASK = 63;

	final CallResponder responder;

	/** Index of the attachments or arguments in the body. */
	int offset;

	/** Result that is not complete; null without one. */
	volatile @Nullable PendingResult pending;

	/** Null until the first use. Written by the thread that runs the call. */
	volatile @Nullable ServerCallContext context;

	/** True if the method may have run; never false again. */
	boolean invoked;

	/** True once the response, or the end without one, goes to the write queue. */
	public boolean responseStarted;

	/** True if the thread may wait for memory while it serializes the response. */
	private boolean mayWait;

	/** Memory of the response; null while that is small. */
	private @Nullable ResponseReservation memory;

	/** True once the call has left the table of the connection. Event loop only. */
	public boolean released;

	/** True if the response was blocked by the socket or the window. Event loop only. */
	private boolean blocked;

	/** Time of the result, see {@link WriteLatencySampler}; 0 if not sampled. */
	private int respondedMicros;

	public ServerCall(CallResponder responder, ServerMethod method, boolean oneWay, long callId, int requestSize,
			long startNanos, long allowedNanos) {
		super(method, oneWay, callId, requestSize, startNanos, allowedNanos);
		this.responder = responder;
	}

	/** Sets whether attachments precede the arguments. */
	public void initFlags(int flagsOfRequest) {
		this.flags = (short) (flagsOfRequest & FrameHeader.FLAG_ATTACHMENTS);
	}

	/** Sets the bytes of the request. They are not read after {@link #run()}. */
	public void arguments(byte[] bytes, int start, int count, @Nullable DetachedBytes value) {
		body(bytes, count, value);
		this.offset = start;
	}

	/** Returns true if a server serves the call. */
	public boolean isOf(ServerResources server) {
		return this.responder.server == server;
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
		if (this.memory == null && (this.responder.server.memory.isShort || this.method.results.expected > 0)
				&& !this.responder.reserveMemory(this, this.method.dispatch != Dispatch.EVENT_LOOP)) {
			return;
		}
		byte[] source = (this.length > SMALL_BODY) ? this.responder.takeRequest(this) : this.body;
		if (source == NOTHING && this.length > 0) { // the connection has ended
			this.responder.finishAbandoned(this);
			return;
		}
		if ((this.flags != 0 || this.method.chain != null) && intercept(source)) {
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
		if (slow || (this.callId & SAMPLE_MASK) == 1) {
			dequeued(now - this.queuedOrStartedNanos);
		}
		this.started = true;
		this.queuedOrStartedNanos = now;
		long left = this.allowedNanos - (now - this.startNanos);
		return left >= (slow ? this.method.times.min : 0) || runsAsProbe(left);
	}

	private void dequeued(long waitedNanos) {
		if (this.awaitedMemory) {
			return;
		}
		if (waitedNanos >= ServiceQueue.SLOW_NANOS && this.method.dispatch == Dispatch.POOL) {
			this.responder.server.queue.slow();
		}
		if ((this.callId & SAMPLE_MASK) == 1) {
			this.responder.server.recorder.started(waitedNanos);
		}
	}

	/**
	 * Returns true if the call runs although too little time is left; else rejects it.
	 */
	private boolean runsAsProbe(long left) {
		if (left >= 0 && this.method.times.isProbe(this.queuedOrStartedNanos)) {
			return true;
		}
		this.started = false;
		this.responder.rejectLate(this, left);
		return false;
	}

	/** Returns true if the call runs through interceptors or was rejected. */
	private boolean intercept(byte[] source) {
		if (this.flags != 0 && !this.responder.readAttachments(this, source)) {
			return true;
		}
		ServerInterceptorChain chain = this.method.chain;
		if (chain == null) {
			return false;
		}
		ServerInterceptorChain.Run run = chain.new Run(new InterceptedExecution(this, source, chain.isEarly()));
		context().run = run;
		try {
			returned(run.proceed());
		}
		catch (Throwable ex) {
			this.responder.failed(this, run, ex);
		}
		return true;
	}

	/** Sets the attachments; the arguments start after them. */
	void attached(ServerCallContext attachments, int end) {
		this.context = attachments;
		this.flags = 0;
		this.length -= end - this.offset;
		this.offset = end;
	}

	@Nullable Object[] read(byte[] source) {
		@Nullable Object[] arguments = this.method.codec.deserializeArguments(source, this.offset, this.length, this.apart);
		this.apart = null;
		if (this.method.dispatch == Dispatch.EVENT_LOOP) {
			this.body = NOTHING; // the array belongs to the event loop
		}
		else if (source != this.body) {
			ByteArrayPool.SHARED.give(source);
		}
		return arguments;
	}

	@Nullable Object invoke(@Nullable Object[] arguments) throws ReflectiveOperationException {
		this.invoked = true;
		return this.method.method.invoke(this.method.implementation.get(), arguments);
	}

	/** Answers with what the method has returned, or follows its stage. */
	void returned(@Nullable Object result) {
		if (this.method.asynchronous && result instanceof CompletionStage<?> stage) {
			PendingResult.follow(this, stage);
		}
		else {
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
			out.overflow(this);
			int attached = (this.context != null) ? this.context.write(out, this.responder.connection.maxResponse())
					: 0;
			this.method.codec.serializeResult(result, out);
			send(RpcStatus.OK, attached, out);
		}
		catch (SerializationException | MemoryShortageException ex) {
			this.responder.unserializable(this, ex);
		}
		finally {
			this.responder.server.buffers.release(out);
		}
	}

	/** Sends a serialized response. */
	void send(RpcStatus outcome, int flagsOfResponse, OutputBuffer out) {
		int size = out.length();
		if (size > this.responder.connection.maxResponse()) {
			throw new MessageTooLargeException(this.responder.connection.maxResponse());
		}
		header(outcome, flagsOfResponse);
		this.length = size;
		if (this.method.results.expected > 0) {
			this.method.results.made(size, this.responder.server.memory.isCalm());
		}
		if (size > LARGE_BODY) {
			completeLargeBody(out);
			memory().waits(size);
		}
		else if (this.responder.queue.writeNow(this, out.array())) {
			responding();
			return;
		}
		else if (size <= this.body.length) {
			System.arraycopy(out.array(), 0, this.body, 0, size);
			releaseMemory();
		}
		else {
			this.body = out.toByteArray();
			this.responder.keepMemory(this, size);
		}
		enqueue();
	}

	/** Sends a response without a serialized object. */
	void send(RpcStatus outcome, int flagsOfResponse, byte[] reply) {
		releaseMemory();
		header(outcome, flagsOfResponse);
		body(reply, reply.length);
		enqueue();
	}

	private void header(RpcStatus outcome, int flagsOfResponse) {
		this.status = outcome;
		this.code = (char) ((outcome == RpcStatus.OK) ? 0 : outcome.code());
		this.flags = (short) flagsOfResponse;
	}

	/** Only once: the links of the frame allow one queue. */
	private void enqueue() {
		try {
			responding();
		}
		finally { // whatever a listener of the context throws
			if (!this.responder.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	/** Ends the context; the response goes to the write queue next. */
	private void responding() {
		this.responseStarted = true;
		if (this.context != null) {
			this.context.ended(this.status);
		}
		this.method.calls.increment();
		if ((this.callId & WriteLatencySampler.MASK) == 0) {
			this.respondedMicros = WriteLatencySampler.micros(System.nanoTime());
		}
	}

	/**
	 * Cancels the call, unless it is one-way: ends it if it waits for a thread or for
	 * memory, runs its listeners, cancels its stage. Any thread.
	 */
	public void cancel() {
		this.cancelled = !this.oneWay;
		ServerResources server = this.responder.server;
		server.memory.giveUp(this);
		if (!this.oneWay && (!this.started || isQueued()) && this.method.dispatch == Dispatch.POOL) {
			server.queue.cancelled(this);
		}
		ServerCallContext listened = this.context;
		if (listened != null) {
			listened.cancelled();
		}
		PendingResult incomplete = this.pending;
		if (incomplete != null && !this.oneWay) {
			incomplete.cancelSoon();
		}
	}

	@Override
	public void endUnrun() {
		this.responder.endUnrun(this);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = this.type != 0 && !isExpired();
		if (wanted && !writable) {
			return block(WriteDecision.HOLD);
		}
		if (wanted && (this.flags & FrameHeader.FLAG_NOT_EXECUTED) == 0) {
			WriteDecision decision = this.responder.connection.replies().admit(this, this.length);
			if (decision != WriteDecision.WRITE) {
				return block(decision);
			}
			this.responder.connection.replies().sent(this.length);
		}
		this.released = true;
		this.responder.connection.release(this);
		if (wanted) {
			retainLarge();
			return WriteDecision.WRITE;
		}
		releaseMemory();
		this.responder.connection.callEnded(this);
		return WriteDecision.SKIP;
	}

	private WriteDecision block(WriteDecision how) {
		if (!this.blocked) {
			this.blocked = true;
			this.responder.connection.watchBlocked();
		}
		return how;
	}

	/**
	 * Returns true if the caller no longer waits: it cancelled, or its deadline passed.
	 */
	@Override
	public boolean isExpired() {
		return this.cancelled || (this.blocked && expiresBlocked());
	}

	private boolean expiresBlocked() {
		if (isTimeOver()) {
			this.status = RpcStatus.DEADLINE_EXCEEDED;
			this.responder.server.memory.countDropped();
			this.cancelled = true;
		}
		return this.cancelled;
	}

	@Override
	public boolean wantsWriteResult() {
		return true;
	}

	@Override
	public void onWriteComplete(boolean written) {
		this.status = written ? this.status : RpcStatus.CANCELLED;
		if (this.respondedMicros != 0 && written) {
			this.responder.server.recorder.written(WriteLatencySampler.since(this.respondedMicros, System.nanoTime()));
		}
		releaseMemory();
		this.responder.connection.callEnded(this);
	}

	@Override
	public void onRejected() {
		try {
			releaseMemory();
		}
		finally {
			this.responder.connection.callRejected(this);
		}
	}

	@Override
	public boolean hasRun() {
		return this.started && !this.blocked && this.status == RpcStatus.OK;
	}

	@Override
	protected ChunkedBody newLargeBody() {
		return memory().largeBody(this.mayWait);
	}

	@Override
	public void reserved(long bytes) {
		memory().reserved(bytes);
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
			this.memory.free(this.large);
			this.memory = null;
			this.large = null;
		}
	}

	@Override
	public ServerCallContext context() {
		ServerCallContext existing = this.context;
		if (existing == null) {
			existing = new ServerCallContext(this, this.responder.connection, Attachments.none());
			this.context = existing;
		}
		return existing;
	}

	/** Returns the run through interceptors, null if there is none or it has ended. */
	ServerInterceptorChain.@Nullable Run interceptors() {
		ServerCallContext intercepted = this.context;
		return (intercepted != null) ? intercepted.run : null;
	}

	@Override
	public @Nullable CallRecorder recorder() {
		return (this.context != null) ? this.context.recorder() : this.method.recorder;
	}

}
