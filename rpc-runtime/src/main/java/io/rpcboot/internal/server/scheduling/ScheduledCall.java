package io.rpcboot.internal.server.scheduling;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.concurrent.AdaptiveLifoQueue.Node;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Received call as queues, limits and its connection see it: method, request, deadline,
 * place in the queue, outcome. Its subclass runs it.
 */
public abstract class ScheduledCall implements Runnable, CallDetails {

	/** Longest request, in bytes, whose array is kept for the response. */
	protected static final int SMALL_REQUEST = 256;

	/**
	 * A caller that gives up this close to the deadline has reached it: its time began
	 * earlier.
	 */
	private static final long EARLY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final byte DEFAULT = 0;

	private static final byte KEPT = 1;

	private static final byte ENDED = 2;

	private static final VarHandle REQUEST;

	private static final VarHandle ARGUMENTS;

	static {
		try {
			Lookup lookup = MethodHandles.lookup();
			REQUEST = lookup.findVarHandle(ScheduledCall.class, "request", byte[].class);
			ARGUMENTS = lookup.findVarHandle(ScheduledCall.class, "arguments", byte.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	public final ServerMethod method;

	/** Way to invoke the method. */
	public final Invocation invocation;

	public final boolean oneWay;

	/**
	 * Holds the request, then a response that is no longer than a short request. Empty
	 * once a thread has taken a long request, or once it is dropped because it will not
	 * be read.
	 */
	protected byte[] request = OutboundFrame.NOTHING;

	/** Index of the attachments or arguments in the request. */
	protected int offset;

	/** Length of the attachments and arguments in bytes. */
	protected int length;

	/** Body of the request in bytes, as counted in the window of the client. */
	public final int requestSize;

	/** Arrival, as {@link System#nanoTime()}. */
	public final long startNanos;

	/**
	 * Time allowed from the arrival; {@link Long#MAX_VALUE} without a deadline. 0 if the
	 * caller says that the deadline has passed; written before {@link #cancelled}.
	 */
	public long allowedNanos;

	/** True once the caller no longer waits; never false again. Any thread. */
	public volatile boolean cancelled;

	/**
	 * Start of the wait for a thread; once {@link #started}, start of the execution.
	 */
	public long queuedOrStartedNanos;

	/**
	 * True once a thread has taken the call and not rejected it; false again while it
	 * waits for memory for its response.
	 */
	public boolean started;

	/** True if the call is counted in the overflow of its service. */
	public boolean countsAgainstService;

	/** Outcome that is recorded. */
	public RpcStatus status = RpcStatus.OK;

	/** True once the call has waited for memory for its response. */
	public volatile boolean awaitedMemory;

	/** State of the arguments after the end of the connection. */
	private volatile byte arguments;

	/** Text of the answer to a failed call, null without one. */
	private @Nullable String failure;

	/** Class of the exception in that answer, null or empty without one. */
	private @Nullable String exception;

	/** Last place in a {@link ServiceQueue}. Written under the lock of the scheduler. */
	@Nullable Node<ScheduledCall> place;

	protected ScheduledCall(Invocation invocation, boolean oneWay, int requestSize, long startNanos,
			long allowedNanos) {
		this.invocation = invocation;
		this.method = invocation.method;
		this.oneWay = oneWay;
		this.requestSize = requestSize;
		this.startNanos = startNanos;
		this.queuedOrStartedNanos = startNanos;
		this.allowedNanos = allowedNanos;
	}

	/**
	 * Sets the bytes of the request. They are not read after {@link #run}.
	 * @param bytes hold attachments and arguments
	 * @param start index of the first of them
	 * @param count number of bytes
	 */
	public final void request(byte[] bytes, int start, int count) {
		this.request = bytes;
		this.offset = start;
		this.length = count;
	}

	/** Returns the index of the attachments or arguments in the request. */
	public final int requestOffset() {
		return this.offset;
	}

	/** Returns the length of attachments and arguments. */
	public final int requestLength() {
		return this.length;
	}

	/** Returns true if {@link #dropRequest} would drop an array now. */
	public final boolean isDroppable() {
		return this.length > SMALL_REQUEST && this.request != OutboundFrame.NOTHING;
	}

	/** Drops the array of the request unless it is small. Any thread. */
	public final void dropRequest() {
		if (this.length > SMALL_REQUEST) {
			takeRequest();
		}
	}

	/** Takes the array of the request; of several threads one gets it. */
	public final byte[] takeRequest() {
		return (byte[]) REQUEST.getAndSet(this, OutboundFrame.NOTHING);
	}

	/** Ends a call that was removed from its queue before it ran. Never throws. */
	public abstract void endUnrun();

	/** Returns the recorder of the call, null without metrics. */
	public abstract @Nullable CallRecorder recorder();

	/** Sets the texts of the answer to a failed call. */
	public final void answersFailure(String message, String exceptionType) {
		this.failure = message;
		this.exception = exceptionType;
	}

	@Override
	public final long waitedNanos() {
		return (this.started || this.method.dispatch == Dispatch.EVENT_LOOP)
				? this.queuedOrStartedNanos - this.startNanos : Long.MAX_VALUE;
	}

	@Override
	public final @Nullable String message() {
		return this.failure;
	}

	@Override
	public final @Nullable String exceptionType() {
		return "".equals(this.exception) ? null : this.exception;
	}

	/** Returns true if a thread has run the call and its response was never blocked. */
	public abstract boolean hasRun();

	/** Returns the length of the body of the response in bytes. */
	protected abstract int responseSize();

	/**
	 * Receives the memory that was reserved for the response.
	 * @param bytes all of it
	 * @param fromPool bytes of it that are of the pool of clients that read responses
	 */
	public abstract void reserved(long bytes, long fromPool);

	/**
	 * Keeps the arguments of a one-way call whose connection has ended, with their
	 * memory.
	 * @return false if the call has ended
	 */
	public final boolean keepArguments() {
		return ARGUMENTS.compareAndSet(this, DEFAULT, KEPT);
	}

	/**
	 * Records the end of a call whose connection has ended.
	 * @return true if the memory of its arguments is to be released
	 */
	public final boolean endArguments() {
		return (byte) ARGUMENTS.getAndSet(this, ENDED) == KEPT;
	}

	/**
	 * Records the end of the call, after the write of its response. Event loop only.
	 * @param now end of the call, as {@link System#nanoTime()}
	 * @param batch batch of recorded calls; null without metrics
	 */
	public final void ended(long now, @Nullable CallBatch batch) {
		if (this.countsAgainstService || now - this.startNanos > this.allowedNanos) {
			endedOverLimit();
		}
		if (batch != null) {
			batch.add(recorder(), this.status, now - this.startNanos, this);
			batch.carried(this.invocation.recorder, this.requestSize, responseSize());
		}
		if (now - this.queuedOrStartedNanos < this.method.times.currentMin && hasRun()) {
			this.method.times.took(now - this.queuedOrStartedNanos);
		}
	}

	/** Ends a call that was late, or beyond the limit of its service. */
	private void endedOverLimit() {
		if (this.countsAgainstService) {
			this.method.queue.leaveOverflow();
		}
		if (isTimeOver()) {
			late();
		}
		if (!hasToldOutcome()) {
			this.status = outcome();
		}
	}

	/** Tells the scheduler of a call that has ended after its deadline. */
	protected abstract void late();

	/** Returns true if interceptors or listeners have got the outcome. */
	protected abstract boolean hasToldOutcome();

	/** Records the end of the call without a response. Any thread. */
	protected final void recordUnwritten(String remote) {
		try {
			CallRecorder recorder = recorder();
			if (recorder != null) {
				boolean isSuccess = this.status == RpcStatus.OK || this.status == RpcStatus.DECLARED;
				recorder.record(isSuccess ? RpcStatus.CANCELLED : this.status, System.nanoTime() - this.startNanos,
						remote, this);
			}
		}
		finally {
			if (this.countsAgainstService) {
				this.method.queue.leaveOverflow();
			}
		}
	}

	/** Returns true while the call is in a {@link ServiceQueue}. */
	public final boolean isQueued() {
		Node<ScheduledCall> last = this.place;
		return last != null && last.isQueued();
	}

	/**
	 * Sets the deadline to now, because it has passed at the client: the time here began
	 * later, with the arrival. The cancellation follows.
	 */
	public final void deadlineHasPassed() {
		this.allowedNanos = 0;
	}

	/**
	 * Returns the outcome to report: a call whose caller has given up, or whose deadline
	 * passed before its response, is no success.
	 */
	protected final RpcStatus outcome() {
		long left = this.allowedNanos - (System.nanoTime() - this.startNanos);
		boolean isSuccess = this.status == RpcStatus.OK || this.status == RpcStatus.DECLARED;
		if (this.cancelled) {
			return (left < EARLY_NANOS) ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED;
		}
		return (isSuccess && left < 0 && !this.oneWay) ? RpcStatus.DEADLINE_EXCEEDED : this.status;
	}

	/** Returns true if the deadline has passed. */
	public final boolean isTimeOver() {
		return System.nanoTime() - this.startNanos > this.allowedNanos;
	}

}
