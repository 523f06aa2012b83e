package io.rpcboot.internal.client.call;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.limits.QueuedCall;
import io.rpcboot.internal.client.limits.ReservedPermits;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.FrameBodies;
import io.rpcboot.internal.transport.frame.InboundBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.TimedFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractException;
import org.jspecify.annotations.Nullable;

/**
 * One call from its start to its end: the frame that goes out and the place where the
 * reply arrives. Its caller waits in {@link #await}, unless it is a {@link FutureCall} or
 * a {@link OneWayCall}. Stop before: service proxy; stop after: write queue; on the way
 * back, stop before: client connection; stop after: the caller.
 * <p>
 * Invariant: one atomic state decides between reply, timeout, cancel and failure, so a
 * call completes exactly once. Only in state {@code SENT} may it have executed. The body
 * is kept until the end, so that a call that did not run can be sent elsewhere.
 */
public class ClientCall extends OutboundFrame implements TimedFrame, QueuedCall {

	/** It waits for room in the client and does not count as under way. */
	public static final int AWAITING_PERMIT = 0;

	public static final int QUEUED = 1;

	public static final int SENT = 2;

	private static final int COMPLETING = 3;

	private static final int DONE = 4;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private static final AtomicIntegerFieldUpdater<ClientCall> STATE = AtomicIntegerFieldUpdater
		.newUpdater(ClientCall.class, "state");

	public final CallDispatcher reference;

	public final BoundMethod method;

	public final long startNanos;

	private final Thread caller = Thread.currentThread();

	public volatile int state;

	/** Whether it counts as under way, written by who claims it. */
	public boolean wasAdmitted;

	/** Whether its connection has recorded it. */
	public boolean recorded;

	/** To which it was handed, null while it waits for one. */
	public volatile @Nullable CallTransport connection;

	/** Whose timer knows the call. Event loop only. */
	public @Nullable CallTransport watchedBy;

	/** Null if it has nothing beside its arguments. Before any other thread knows it. */
	public @Nullable CallMetadata context;

	/** Null until it waits for an instance or comes back from one. */
	public @Nullable AttemptHistory attempts;

	/** Where the reply begins in the body. */
	int replyOffset;

	public @Nullable LazyRpcException failure;

	/** Whether it may have run at an instance where it has failed. */
	public boolean mayHaveRun;

	/** The same call at another instance, if any; it may have failed and end as that. */
	public volatile @Nullable ClientCall hedge;

	/**
	 * Has the answer and its connection: itself, or the hedge. Written before the end.
	 */
	public ClientCall answeredBy = this;

	public volatile boolean awaitsHedge;

	/** What the account holds for arguments in an array, in bytes. */
	private int memory;

	public ClientCall(int type, CallDispatcher reference, BoundMethod method, long startNanos) {
		super(type);
		this.code = (char) method.number;
		this.reference = reference;
		this.method = method;
		this.startNanos = startNanos;
	}

	/** What is sent. A blocking caller has an array for it, if it is small. */
	public void arguments(OutputBuffer out) {
		int count = out.length();
		if (count > LARGE_BODY) {
			FrameBodies.complete(this, out);
			return;
		}
		if (count > this.reference.freeBytes) {
			this.memory = this.reference.memory.enter(count, isAsynchronous(), deadlineNanos());
		}
		boolean small = !isAsynchronous() && count <= SMALL_BODY;
		byte[] taken = small ? this.reference.arrays.take() : null;
		byte[] bytes = (taken != null) ? taken : new byte[small ? SMALL_BODY : count];
		System.arraycopy(out.array(), 0, bytes, 0, count);
		body(bytes, count);
	}

	@Override
	protected ChunkedBody newLargeBody() {
		return this.reference.memory.largeBody(isAsynchronous(), deadlineNanos());
	}

	/**
	 * Its start has failed: nobody waits for it. It leaves once if it had entered.
	 * Returns false if it has ended otherwise.
	 */
	public boolean discard() {
		boolean first = claim() >= 0;
		if (first ? this.wasAdmitted : !isAsynchronous()) { // who was first leaves by
															// itself
			this.reference.leave();
		}
		return first;
	}

	/** There was room for it at once. Before any other thread knows it. */
	public void markAdmitted() {
		STATE.lazySet(this, QUEUED);
	}

	@Override
	public boolean admit() {
		if (!STATE.compareAndSet(this, AWAITING_PERMIT, QUEUED)) {
			return false;
		}
		this.reference.dispatch(this, null);
		return true;
	}

	/** Hand to a connection. Returns false if that has ended. */
	public boolean sendTo(CallTransport target) {
		this.connection = target;
		return target.send(this);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		CallTransport target = this.connection;
		return (target != null) ? target.admit(this, writable) : WriteDecision.SKIP;
	}

	/** On the event loop: the last moment before writing. False if no longer wanted. */
	public boolean markSent(long id, long remainingNanos, boolean lastGranted) {
		if (!retainLarge()) {
			return false;
		}
		this.callId = id;
		this.watchedBy = null;
		this.flags = (short) (FrameHeader.FLAG_DEADLINE | (lastGranted ? FrameHeader.FLAG_LAST_GRANTED : 0)
				| ((this.context != null) ? this.context.flags() : 0));
		this.remainingMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, remainingNanos / NANOS_PER_MILLI));
		boolean wanted = STATE.compareAndSet(this, QUEUED, SENT);
		if (!wanted && this.large != null) {
			this.large.release();
		}
		return wanted;
	}

	@Override
	public void onRejected() {
		this.reference.dispatchAgain(this, RedispatchReason.DISCONNECTED);
	}

	@Override
	public boolean isAbandoned() {
		return this.state >= COMPLETING;
	}

	/**
	 * A reply with status OK or with a declared exception. From here on the body is that
	 * of the reply: what was sent is no longer needed, so a small reply takes its array.
	 * @param own has the array if that is this call's from now on, else null
	 * @return false if another end was first: nobody takes the reply
	 */
	public boolean completeWithReply(int flagsOfReply, byte[] bytes, int offset, int length,
			@Nullable InboundBody own) {
		boolean fits = length <= this.body.length && this.body.length <= SMALL_BODY;
		byte[] array = (own != null) ? bytes : (fits ? this.body : FrameBodies.array(length));
		if (!claimForReply(flagsOfReply)) {
			return false;
		}
		if (own == null) {
			System.arraycopy(bytes, offset, array, 0, length);
		}
		body(array, length, (own != null) ? own.value() : null);
		completed();
		return true;
	}

	/** Returns false if another end was first. */
	public final boolean claimForReply(int flagsOfReply) {
		if (claim() < 0) {
			return false;
		}
		this.flags = (short) flagsOfReply;
		return true;
	}

	/** Any other end. Whether it may have executed follows from the state. */
	@Override
	public void fail(RpcStatus status, String what) {
		CallCompletion.end(this, status, what);
	}

	/** Returns the state before, or -1 if another was first. */
	public final int claim() {
		while (true) {
			int current = this.state;
			if (current >= COMPLETING) {
				return -1;
			}
			if (STATE.compareAndSet(this, current, COMPLETING)) {
				this.wasAdmitted = current != AWAITING_PERMIT;
				releaseArguments();
				return current;
			}
		}
	}

	/** Its arguments are not needed any more; once, by who claims it. */
	protected void releaseArguments() {
		if (this.memory > 0) {
			this.reference.memory.free(this.memory);
		}
		if (this.large != null) {
			this.large.release();
		}
		if (this.context != null) {
			this.context.ended();
		}
		ClientCall other = this.hedge;
		if (other != null) {
			CallCompletion.superseded(other);
		}
	}

	/** It was claimed and has its end: let whoever waits know. */
	public void completed() {
		this.state = DONE;
		LockSupport.unpark(this.caller);
	}

	/** The call did not run: back to the beginning. False if no longer wanted. */
	public boolean markNotExecuted() {
		return this.state == QUEUED || STATE.compareAndSet(this, SENT, QUEUED);
	}

	/** The call failed: back to the beginning. False if it is over. */
	public boolean markForRetry() {
		return STATE.compareAndSet(this, SENT, QUEUED);
	}

	/** Wait in the calling thread until the call is done or its time is over. */
	public @Nullable Object await() throws Throwable {
		boolean interrupted = false;
		while (this.state != DONE) {
			long remaining = remainingNanos();
			if (remaining <= 0) {
				expire();
			}
			// not if it is done, and for a moment while another thread completes it
			LockSupport.parkNanos(this, (remaining > 0) ? remaining : NANOS_PER_MILLI);
			if (Thread.interrupted()) {
				interrupted = true;
				fail(RpcStatus.CANCELLED, "the calling thread was interrupted");
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		try {
			return result();
		}
		finally {
			account();
		}
	}

	@Override
	public void expire() {
		this.reference.expire(this);
	}

	final @Nullable Object result() throws Throwable {
		if (this.failure != null) {
			throw this.failure.endOf(this);
		}
		ClientCall answer = this.answeredBy;
		byte[] reply = answer.body;
		answer.body = NOTHING;
		Object result = deserialize(answer, reply);
		if (reply.length == SMALL_BODY && !isAsynchronous()) {
			this.reference.arrays.give(reply);
		}
		else if (ownsReply()) {
			FrameBodies.reuse(reply);
		}
		return result;
	}

	private @Nullable Object deserialize(ClientCall answer, byte[] reply) throws Throwable {
		CallTransport from = answer.connection;
		try {
			boolean plain = this.context == null && (answer.flags & FrameHeader.FLAG_ATTACHMENTS) == 0;
			int start = plain ? 0 : CallMetadata.read(this.context, answer.flags, reply, answer.replyOffset,
					FrameBodies.lengthInArray(answer));
			int count = answer.length - start;
			start += answer.replyOffset;
			MethodCodec codec = (from != null) ? from.codecOf(this.method) : this.method.codec;
			if ((answer.flags & FrameHeader.FLAG_DECLARED_EXCEPTION) == 0) {
				return codec.deserializeResult(reply, start, count, answer.apart);
			}
			throw CallCompletion.thrown(this, codec.deserializeException(reply, start, count));
		}
		catch (SerializationException | ContractException ex) {
			throw CallCompletion.replyNotReadable(this, ex);
		}
	}

	final void account() {
		CallTransport target = this.answeredBy.connection;
		if (this.wasAdmitted) {
			this.reference.leave();
			if (target != null && this.failure == null && this.answeredBy.length > 0) {
				target.consumed(this.answeredBy.length);
			}
		}
		if (this.method.usesBudget && this.failure == null) {
			this.reference.answered(this);
		}
		CallRecorder recorder = this.method.recorder;
		if (!this.recorded && recorder != null) {
			recorder.record(status(), System.nanoTime() - this.startNanos, (target != null) ? target.peer() : "");
		}
	}

	public final RpcStatus status() {
		boolean declared = (this.answeredBy.flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0;
		return (this.failure != null) ? this.failure.status() : declared ? RpcStatus.DECLARED : RpcStatus.OK;
	}

	@Override
	public long startedNanos() {
		return this.startNanos;
	}

	@Override
	public ReservedPermits.ReferencePermits share() {
		return this.reference.share;
	}

	public boolean isOneWay() {
		return this.type == FrameType.ONE_WAY;
	}

	public boolean isAsynchronous() {
		return false;
	}

	/** Whether the array of the reply is this call's. */
	boolean ownsReply() {
		return true;
	}

	@Override
	public long deadlineNanos() {
		return this.startNanos + ((this.context != null) ? this.context.allowedNanos : this.method.timeoutNanos);
	}

	public long remainingNanos() {
		return deadlineNanos() - System.nanoTime();
	}

}
