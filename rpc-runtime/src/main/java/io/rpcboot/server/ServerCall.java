package io.rpcboot.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.internal.transport.Frame;
import io.rpcboot.internal.transport.LargeBody;
import io.rpcboot.internal.transport.OutgoingGrant;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * One call at the server: the task that runs it and the frame that answers it. Stop
 * before: worker pool; stop after: write queue.
 */
final class ServerCall extends Frame implements Runnable {

	/**
	 * A method that is offered.
	 *
	 * @param descriptor the method
	 * @param method the method of the interface
	 * @param asynchronous whether it returns a stage
	 * @param codec its serialization
	 * @param implementation gives the object to call
	 * @param recorder its metrics, null if nobody listens
	 * @param calls calls answered
	 * @param results how large its results are
	 * @param dispatch which thread runs it
	 */
	record ServerMethod(MethodDescriptor descriptor, Method method, boolean asynchronous, MethodCodec codec,
			Supplier<?> implementation, @Nullable CallRecorder recorder, LongAdder calls, ResultSizes results,
			Dispatch dispatch) {
	}

	private final ServerConnection connection;

	private final ServerMethod method;

	private final boolean oneWay;

	private final int requestSize;

	private int offset;

	private final long startNanos;

	private final long allowedNanos;

	private volatile boolean cancelled;

	private volatile @Nullable RunningStage running;

	private boolean answered;

	/** Whether the thread may wait for memory while it serializes the answer. */
	private boolean mayWait;

	/** What the answer takes, null while that is little. */
	private @Nullable ResultMemory memory;

	private boolean waited;

	/** Whether the connection needs to know it no longer. Event loop only. */
	private boolean released;

	private RpcStatus status = RpcStatus.OK;

	ServerCall(ServerConnection connection, ServerMethod method, boolean oneWay, long callId, int requestSize,
			long startNanos, long allowedNanos) {
		super(FrameType.RESPONSE);
		this.connection = connection;
		this.method = method;
		this.oneWay = oneWay;
		this.callId = callId;
		this.requestSize = requestSize;
		this.startNanos = startNanos;
		this.allowedNanos = allowedNanos;
	}

	/** Where the arguments are; they are not looked at after {@link #run()}. */
	void arguments(byte[] bytes, int start, int count) {
		body(bytes, count);
		this.offset = start;
	}

	/** Run the call. The thread that its method's dispatch chooses. */
	@Override
	public void run() {
		try {
			execute();
		}
		catch (Throwable ex) {
			ServerFailures.unexpected(this, ex, this.answered);
		}
	}

	private void execute() {
		if (this.cancelled) {
			end(RpcStatus.CANCELLED);
			return;
		}
		boolean onLoop = this.method.dispatch() == Dispatch.EVENT_LOOP;
		if (!onLoop && isTimeOver()) {
			ServerFailures.refuse(this, RpcStatus.DEADLINE_EXCEEDED,
					"its time was over before a thread of the server took it");
			return;
		}
		ServerRuntime server = this.connection.server();
		if (this.memory == null && (server.isShort || this.method.results().expected > 0)
				&& !server.memory.mayStart(this, !onLoop)) {
			return;
		}
		byte[] source = (this.length > SMALL_BODY) ? takeBody() : this.body;
		if (source.length < this.length) { // the connection has ended
			end(RpcStatus.CANCELLED);
			return;
		}
		@Nullable Object[] arguments;
		try {
			arguments = this.method.codec().deserializeArguments(source, this.offset, this.length);
			if (onLoop) {
				this.body = NOTHING; // an own small one serves the answer too
			}
			else if (source != this.body) {
				reuse(source);
			}
		}
		catch (RuntimeException | StackOverflowError ex) {
			ServerFailures.unreadable(this, ex);
			return;
		}
		try {
			Object result = this.method.method().invoke(this.method.implementation().get(), arguments);
			if (this.method.asynchronous() && result instanceof CompletionStage<?> stage) {
				this.running = RunningStage.follow(this, stage);
				if (this.cancelled) {
					cancel();
				}
			}
			else {
				this.mayWait = !onLoop;
				answer(result);
			}
		}
		catch (InvocationTargetException ex) {
			ServerFailures.thrown(this, ex.getCause());
		}
		catch (Throwable ex) {
			ServerFailures.thrown(this, ex);
		}
	}

	/** Answer with a result. */
	void answer(@Nullable Object result) {
		if (this.oneWay) {
			end(RpcStatus.OK);
			return;
		}
		OutputBuffer out = this.connection.server().buffers.acquire();
		try {
			out.overflow(this);
			this.method.codec().serializeResult(result, out);
			send(RpcStatus.OK, 0, out);
		}
		catch (SerializationException | MemoryShortageException ex) {
			ServerFailures.resultNotCarried(this, ex);
		}
		finally {
			this.connection.server().buffers.release(out);
		}
	}

	/** Answer with what was serialized. */
	void send(RpcStatus outcome, int flagsOfReply, OutputBuffer out) {
		int size = out.length();
		if (size > this.connection.maxResponse()) {
			throw new MessageTooLargeException(this.connection.maxResponse());
		}
		header(outcome, flagsOfReply);
		this.length = size;
		if (this.method.results().expected > 0) {
			this.method.results().made(size, this.connection.server().memory.isCalm());
		}
		if (size > LARGE_BODY) {
			LargeBody.complete(this, out);
			memory().waits(size);
		}
		else if (this.connection.writeNow(this, out.array())) {
			answered();
			return;
		}
		else if (size <= this.body.length) {
			System.arraycopy(out.array(), 0, this.body, 0, size);
			forgetAnswer();
		}
		else {
			this.body = out.toByteArray();
			this.connection.server().memory.enter(this, size);
		}
		enqueue();
	}

	@Override
	protected LargeBody newLargeBody() {
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
		this.code = (outcome == RpcStatus.OK) ? 0 : outcome.code();
		this.flags = flagsOfReply;
	}

	private void enqueue() {
		answered();
		this.connection.enqueue(this);
	}

	private void answered() {
		this.answered = true;
		this.method.calls().increment();
	}

	/** Nothing is answered; the connection still has to learn that the call is over. */
	void end(RpcStatus outcome) {
		this.status = outcome;
		this.type = 0;
		body(NOTHING, 0);
		enqueue();
	}

	@Override
	protected Admission begin(boolean writable) {
		boolean wanted = this.type != 0 && !isStale();
		if (!writable) {
			return waits(Admission.HOLD);
		}
		OutgoingGrant grant = this.connection.replies();
		if (wanted && (this.flags & FrameHeader.FLAG_NOT_EXECUTED) == 0) {
			Admission admission = grant.admit(this, this.length);
			if (admission != Admission.WRITE) {
				return waits(admission);
			}
			grant.sent(this.length);
		}
		this.released = true;
		this.connection.release(this);
		if (wanted) {
			retainLarge();
			return Admission.WRITE;
		}
		over();
		return Admission.SKIP;
	}

	private Admission waits(Admission how) {
		if (!this.waited) {
			this.waited = true;
			this.connection.flow().watchWaiting();
		}
		return how;
	}

	@Override
	protected boolean wantsOutcome() {
		return true;
	}

	@Override
	protected void outcome(boolean written) {
		this.status = written ? this.status : RpcStatus.CANCELLED;
		over();
	}

	/** Whether the answer waited until nobody waits for it. */
	@Override
	protected boolean isStale() {
		if (this.waited && !this.cancelled && isTimeOver()) {
			this.status = RpcStatus.DEADLINE_EXCEEDED;
			this.connection.server().memory.countDropped();
			this.cancelled = true;
		}
		return this.cancelled;
	}

	private void over() {
		forgetAnswer();
		this.connection.callEnded(this.method, this.status, this.startNanos);
	}

	@Override
	protected void rejected() {
		forgetAnswer();
		CallRecorder recorder = this.method.recorder();
		if (recorder != null) {
			recorder.record(RpcStatus.CANCELLED, System.nanoTime() - this.startNanos);
		}
		this.connection.callEnded();
	}

	/** The caller no longer waits; the caller of a one-way call never did. */
	void cancel() {
		this.cancelled = !this.oneWay;
		this.connection.server().memory.giveUp(this);
		RunningStage stage = this.running;
		if (stage != null) {
			this.connection.server().runLater(stage::cancel);
		}
	}

	/** The connection is closed: nothing of it is kept. */
	void abandon() {
		if (this.length > SMALL_BODY) {
			takeBody();
		}
		cancel();
	}

	/** What the answer takes, which is not little. */
	ResultMemory memory() {
		if (this.memory == null) {
			this.memory = new ResultMemory(this, this.connection.server().memory);
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

	boolean isTimeOver() {
		return System.nanoTime() - this.startNanos > this.allowedNanos;
	}

	/** When its time is over, as {@link System#nanoTime()}, but not far away. */
	long deadlineNanos(long mostNanos) {
		long now = System.nanoTime();
		return now + Math.min(mostNanos, this.allowedNanos - (now - this.startNanos));
	}

	boolean isCancelled() {
		return this.cancelled;
	}

	boolean isReleased() {
		return this.released;
	}

	boolean isAnswered() {
		return this.answered;
	}

	ServerMethod method() {
		return this.method;
	}

	ServerConnection connection() {
		return this.connection;
	}

	boolean isOneWay() {
		return this.oneWay;
	}

	int requestSize() {
		return this.requestSize;
	}

	long id() {
		return this.callId;
	}

}
