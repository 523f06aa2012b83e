package io.rpcboot.internal.server.call;

import java.util.concurrent.CompletionStage;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.context.ServedCall;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.FrameHeader;
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
 * One call at the server: the task that runs it and the frame that answers it. Stop
 * before: worker pool; stop after: write queue. What only calls with trouble or with
 * large results do is in {@link ServerCallSlowPath}, {@link ErrorResponses} and
 * {@link PendingResult}.
 */
public final class ServerCall extends ScheduledCall implements ServedCall {

	public final ServerTransport connection;

	/** Where attachments or arguments begin in the body. */
	int offset;

	/** What the method has returned, until that ends; null if it was no stage. */
	volatile @Nullable PendingResult running;

	/** Null until somebody asks for it. Written by the thread that runs the call. */
	volatile @Nullable ServerCallContext context;

	/** Whether the method may have run; never false again. */
	boolean invoked;

	/** Whether the answer, or the end without one, is on its way. */
	public boolean responseStarted;

	/** Whether the thread may wait for memory while it serializes the answer. */
	private boolean mayWait;

	/** What the answer takes, null while that is little. */
	private @Nullable ResponseReservation memory;

	/** Whether the connection needs to know it no longer. Event loop only. */
	public boolean released;

	public ServerCall(ServerTransport connection, ServerMethod method, boolean oneWay, long callId, int requestSize,
			long startNanos, long allowedNanos) {
		super(method, oneWay, callId, requestSize, startNanos, allowedNanos);
		this.connection = connection;
	}

	/** The flags of its frame: whether attachments stand before the arguments. */
	public void initFlags(int flagsOfRequest) {
		this.flags = (short) (flagsOfRequest & FrameHeader.FLAG_ATTACHMENTS);
	}

	/** The arguments begin later. */
	void skip(int bytes) {
		this.flags = 0;
		this.offset += bytes;
		this.length -= bytes;
	}

	/** Where these are; they are not looked at after {@link #run()}. */
	public void arguments(byte[] bytes, int start, int count, @Nullable DetachedBytes value) {
		body(bytes, count, value);
		this.offset = start;
	}

	/** Run the call. The thread that its method's dispatch chooses. */
	@Override
	public void run() {
		try {
			execute();
		}
		catch (Throwable ex) {
			ErrorResponses.unexpected(this, ex);
		}
	}

	private void execute() {
		if (this.cancelled) {
			ServerCallSlowPath.endUnrun(this);
			return;
		}
		boolean onLoop = this.method.dispatch == Dispatch.EVENT_LOOP;
		if (!onLoop && !hasTime()) {
			return;
		}
		if (this.memory == null && (this.connection.memory.isShort || this.method.results.expected > 0)
				&& !ServerCallSlowPath.reserveResponseMemory(this, !onLoop)) {
			return;
		}
		byte[] source = (this.length > SMALL_BODY) ? takeArray() : this.body;
		if (source == NOTHING && this.length > 0) { // the connection has ended
			ServerCallSlowPath.endAbandoned(this);
			return;
		}
		if ((this.flags != 0 || this.method.chain != null) && InterceptedExecution.run(this, source, this.flags != 0)) {
			return;
		}
		@Nullable Object[] arguments;
		try {
			arguments = read(source);
		}
		catch (RuntimeException | StackOverflowError ex) {
			ErrorResponses.unreadable(this, ex);
			return;
		}
		try {
			onReturned(invoke(arguments));
		}
		catch (Throwable ex) {
			ErrorResponses.invocationFailed(this, ex);
		}
	}

	@Nullable Object[] read(byte[] source) {
		@Nullable Object[] arguments = this.method.codec.deserializeArguments(source, this.offset, this.length, this.apart);
		this.apart = null;
		if (this.method.dispatch == Dispatch.EVENT_LOOP) {
			this.body = NOTHING; // an own small one serves the answer too
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

	/** The method has returned. */
	void onReturned(@Nullable Object result) {
		if (this.method.asynchronous && result instanceof CompletionStage<?> stage) {
			PendingResult.follow(this, stage);
		}
		else {
			this.mayWait = this.method.dispatch != Dispatch.EVENT_LOOP;
			answer(result);
		}
	}

	/** A thread has taken it. Returns false if it has ended, since nobody would wait. */
	private boolean hasTime() {
		long now = System.nanoTime();
		boolean slow = now - this.queuedOrStartedNanos >= ServiceQueue.SLOW_NANOS && !this.started;
		if (slow || (this.callId & ServerCallSlowPath.SAMPLE_MASK) == 1) {
			ServerCallSlowPath.onDequeued(this, now - this.queuedOrStartedNanos);
		}
		this.started = true;
		this.queuedOrStartedNanos = now;
		long left = this.allowedNanos - (now - this.startNanos);
		return left >= (slow ? this.method.times.min : 0) || ServerCallSlowPath.runAnyway(this, left);
	}

	/** Answer with a result. */
	void answer(@Nullable Object result) {
		if (this.oneWay) {
			finishWithoutReply(RpcStatus.OK);
			return;
		}
		OutputBuffer out = this.connection.buffers.acquire();
		try {
			out.overflow(this);
			int flagsOfReply = (this.context != null) ? this.context.write(out, this.connection.maxResponse) : 0;
			this.method.codec.serializeResult(result, out);
			send(RpcStatus.OK, flagsOfReply, out);
		}
		catch (SerializationException | MemoryShortageException ex) {
			ErrorResponses.resultNotCarried(this, ex);
		}
		finally {
			this.connection.buffers.release(out);
		}
	}

	/** Answer with what was serialized. */
	void send(RpcStatus outcome, int flagsOfReply, OutputBuffer out) {
		int size = out.length();
		if (size > this.connection.maxResponse) {
			throw new MessageTooLargeException(this.connection.maxResponse);
		}
		header(outcome, flagsOfReply);
		this.length = size;
		if (this.method.results.expected > 0) {
			this.method.results.made(size, this.connection.memory.isCalm());
		}
		if (size > LARGE_BODY) {
			completeLargeBody(out);
			memory().waits(size);
		}
		else if (this.connection.queue.writeNow(this, out.array())) {
			onAnswerReady();
			return;
		}
		else if (size <= this.body.length) {
			System.arraycopy(out.array(), 0, this.body, 0, size);
			forgetAnswer();
		}
		else {
			this.body = out.toByteArray();
			ServerCallSlowPath.waitsInArray(this, size);
		}
		enqueue();
	}

	@Override
	protected ChunkedBody newLargeBody() {
		return memory().largeBody(this.mayWait);
	}

	/** Answer. Only once: a frame in two queues would break both. */
	void send(RpcStatus outcome, int flagsOfReply, byte[] reply) {
		forgetAnswer();
		header(outcome, flagsOfReply);
		body(reply, reply.length);
		enqueue();
	}

	private void header(RpcStatus outcome, int flagsOfReply) {
		this.status = outcome;
		this.code = (char) ((outcome == RpcStatus.OK) ? 0 : outcome.code());
		this.flags = (short) flagsOfReply;
	}

	private void enqueue() {
		try {
			onAnswerReady();
		}
		finally { // now or never
			if (!this.connection.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	private void onAnswerReady() {
		this.responseStarted = true;
		if (this.context != null) {
			this.context.ended();
		}
		this.method.calls.increment();
		if ((this.callId & WriteLatencySampler.OTHERS) == 0) {
			this.answeredMicros = WriteLatencySampler.now();
		}
	}

	/** Nothing is answered; the connection still has to learn that the call is over. */
	public void finishWithoutReply(RpcStatus outcome) {
		this.type = 0;
		send(outcome, 0, NOTHING);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = this.type != 0 && !isExpired();
		if (wanted && !writable) {
			return ServerCallSlowPath.markBlocked(this, WriteDecision.HOLD);
		}
		if (wanted && (this.flags & FrameHeader.FLAG_NOT_EXECUTED) == 0) {
			WriteDecision admission = this.connection.replies.admit(this, this.length);
			if (admission != WriteDecision.WRITE) {
				return ServerCallSlowPath.markBlocked(this, admission);
			}
			this.connection.replies.sent(this.length);
		}
		this.released = true;
		this.connection.release(this);
		if (wanted) {
			retainLarge();
			return WriteDecision.WRITE;
		}
		release();
		return WriteDecision.SKIP;
	}

	/** Whether nobody waits for the answer any more. */
	@Override
	public boolean isExpired() {
		return this.cancelled || (this.waited && ServerCallSlowPath.isStale(this));
	}

	@Override
	public boolean wantsWriteResult() {
		return true;
	}

	@Override
	public void onWriteComplete(boolean written) {
		this.status = written ? this.status : RpcStatus.CANCELLED;
		if (this.answeredMicros != 0) {
			WriteLatencySampler.ended(this, this.connection, written);
		}
		release();
	}

	private void release() {
		forgetAnswer();
		this.connection.callEnded(this);
	}

	@Override
	public void onRejected() {
		ServerCallSlowPath.rejected(this);
	}

	/** What the answer takes, which is not little. */
	ResponseReservation memory() {
		if (this.memory == null) {
			this.memory = new ResponseReservation(this, this.connection.memory, this.connection.unsent);
		}
		return this.memory;
	}

	/** Give back what the answer takes, made or not; twice does nothing. */
	void forgetAnswer() {
		if (this.memory != null) {
			this.memory.free(this.large);
			this.memory = null;
			this.large = null;
		}
	}

	@Override
	public RpcContext context() {
		return InterceptedExecution.contextOf(this);
	}

	@Override
	public @Nullable CallRecorder recorder() {
		return (this.context != null) ? this.context.recorder() : this.method.recorder;
	}

	@Override
	public void reserved(long bytes) {
		memory().reserved(bytes);
	}

	@Override
	public void endUnrun() {
		ServerCallSlowPath.endUnrun(this);
	}

}
