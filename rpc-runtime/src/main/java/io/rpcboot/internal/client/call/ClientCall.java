package io.rpcboot.internal.client.call;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.limits.AdaptiveConcurrencyLimit;
import io.rpcboot.internal.client.limits.QueuedCall;
import io.rpcboot.internal.client.limits.ReservedPermits;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import io.rpcboot.internal.transport.frame.CallMessage;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractException;
import org.jspecify.annotations.Nullable;

/**
 * Call from its start to its end: the request and the receiver of the reply. Its caller
 * waits in {@link #await}, unless it is a {@link FutureCall} or a {@link OneWayCall}.
 * <p>
 * It is its own frame in the write queue, so that a request needs no second object; its
 * {@link CallTransport} decides when it is written and encodes the header.
 * <p>
 * One atomic state decides between reply, timeout, cancel and failure. The request body
 * is kept until the end, so that a call that did not run can be sent elsewhere.
 */
public class ClientCall extends CallMessage implements QueuedCall, CallDetails, OutputBuffer.Overflow {

	/** Waits for a permit and is not pending yet. */
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

	/** True if it had a permit. Written when it is claimed. */
	public boolean wasAdmitted;

	/** True if its outcome is recorded, or is not to be. */
	public boolean recorded;

	/** Connection that has the call, null while it waits for one. */
	public volatile @Nullable CallTransport connection;

	/** Connection whose deadline timer watches the call. Event loop only. */
	public @Nullable CallTransport watchedBy;

	/** Null without metadata. Written before the call is published. */
	public @Nullable CallMetadata context;

	/** Null until the call waits for an instance or comes back from one. */
	public @Nullable AttemptHistory attempts;

	/** Time left when the call was sent, as the server was told; 0 before. */
	public int remainingMillis;

	/** OK or DECLARED, once the call has its reply. */
	private RpcStatus outcome = RpcStatus.OK;

	/** Reads the reply; null for one without attachments and of the usual codec. */
	private @Nullable ReplyReader replyReader;

	public @Nullable LazyRpcException failure;

	/** Memory reserved for arguments in an array, in bytes. */
	private int memory;

	public ClientCall(CallDispatcher reference, BoundMethod method, long startNanos) {
		this.reference = reference;
		this.method = method;
		this.startNanos = startNanos;
	}

	/** Sets the request body. Small bodies of blocking callers use pooled arrays. */
	public void arguments(OutputBuffer out) {
		int count = out.length();
		if (count > OutboundFrame.LARGE_BODY) {
			ChunkedBody chunks = largeBody();
			chunks.write(out.array(), 0, out.position());
			chunks.complete();
			body(OutboundFrame.NOTHING, count);
			return;
		}
		if (count > this.reference.resources().freeBytes) {
			this.memory = this.reference.resources().memory.reserve(count, isAsynchronous(), deadlineNanos());
		}
		boolean small = !isAsynchronous() && count <= OutboundFrame.SMALL_BODY;
		byte[] taken = small ? this.reference.resources().arrays.take() : null;
		byte[] bytes = (taken != null) ? taken : new byte[small ? OutboundFrame.SMALL_BODY : count];
		System.arraycopy(out.array(), 0, bytes, 0, count);
		body(bytes, count);
	}

	/** Appends to a request that is too long for an array. */
	@Override
	public final void write(byte[] source, int offset, int count) {
		largeBody().write(source, offset, count);
	}

	@Override
	public final void expect(int gathered, int range) {
		largeBody().expect(gathered, range);
	}

	private ChunkedBody largeBody() {
		if (this.large == null) {
			this.large = this.reference.resources().memory.largeBody(isAsynchronous(), deadlineNanos());
		}
		return this.large;
	}

	/** Returns why a large request is incomplete, null if there was memory. */
	final @Nullable MemoryShortageException memoryShortage() {
		return (this.large != null) ? this.large.shortage() : null;
	}

	/**
	 * Returns a copy of the body, which may be dropped meanwhile.
	 * @return null if the body is in chunks
	 */
	public final byte @Nullable [] copyBody() {
		return (this.large != null) ? null : Arrays.copyOf(this.body, this.length);
	}

	/**
	 * Replaces the first bytes of the request. Event loop, before it is written.
	 * @param count number of bytes that are not sent; at most those of the first chunk of
	 * a large request
	 * @param start sent instead, at most {@code count} bytes
	 */
	public final void replaceStart(int count, byte[] start) {
		int newLength = this.length - count + start.length;
		if (this.large != null) {
			this.large.replaceStart(count, start);
		}
		else {
			byte[] copy = Arrays.copyOf(start, newLength); // the caller may own the array
			System.arraycopy(this.body, count, copy, start.length, this.length - count);
			this.body = copy;
		}
		this.length = newLength;
	}

	/** Ends a call whose start has failed; another thread may count it out. */
	public final void discard() {
		if ((claim() >= 0) ? this.wasAdmitted : !isAsynchronous()) {
			releasePermit(null);
		}
	}

	/** Marks a call that got its permit at once, before the call is published. */
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

	/** Hands the call to a connection; false if the connection is closed. */
	public boolean sendTo(CallTransport target) {
		this.connection = target;
		return target.send(this);
	}

	/** Marks the call as sent right before it is written; false if it has ended. */
	public boolean markSent(long id, long remainingNanos) {
		if (this.large != null && !this.large.retain()) {
			return false;
		}
		this.callId = id;
		this.watchedBy = null;
		this.remainingMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, remainingNanos / NANOS_PER_MILLI));
		boolean wanted = STATE.compareAndSet(this, QUEUED, SENT);
		if (!wanted && this.large != null) {
			this.large.release();
		}
		return wanted;
	}

	/** Sends the call elsewhere: its connection has ended before it was written. */
	public final void lostConnection() {
		this.reference.dispatchAgain(this, RedispatchReason.DISCONNECTED);
	}

	/** Returns true once the call ends. */
	public final boolean isAbandoned() {
		return this.state >= COMPLETING;
	}

	/**
	 * Completes the call with a result or a declared exception; false if it had ended.
	 * The body becomes that of the reply; a small reply reuses the array of the request.
	 * @param reply OK or DECLARED
	 * @param reader reads the body; null if it is the result alone, for the codec of the
	 * method
	 * @param own true if the call may keep the array, which begins with the body then
	 */
	public boolean completeWithReply(RpcStatus reply, @Nullable ReplyReader reader, byte[] bytes, int offset,
			int length, boolean own) {
		boolean fits = length <= this.body.length && this.body.length <= OutboundFrame.SMALL_BODY;
		byte[] array = own ? bytes : (fits ? this.body : ByteArrayPool.SHARED.take(length));
		if (!claimForReply(reply, reader)) {
			return false;
		}
		if (!own) {
			System.arraycopy(bytes, offset, array, 0, length);
		}
		body(array, length);
		completed();
		return true;
	}

	/** Claims the call for a reply; false if it had ended. */
	protected final boolean claimForReply(RpcStatus reply, @Nullable ReplyReader reader) {
		if (claim() < 0) {
			return false;
		}
		this.outcome = reply;
		this.replyReader = reader;
		return true;
	}

	@Override
	public void fail(RpcStatus status, String what) {
		fail(status, what, Execution.POSSIBLE, null, Attachments.none());
	}

	/** Fails the call with an error reply, or sends it elsewhere if it did not run. */
	public final void onError(ErrorReply reply) {
		if (reply.execution() == Execution.NONE && mayRetry() && this.reference.mayRunElsewhere(this, reply.status())) {
			this.reference.dispatchAgain(this, RedispatchReason.REFUSED);
		}
		else {
			fail(reply.status(), reply.text(), reply.told(), reply.remoteType(), reply.attachments());
		}
	}

	private void fail(RpcStatus status, String what, Execution execution, @Nullable String remoteType,
			Attachments attachments) {
		if (this.method.usesBudget && mayRetry() && execution != Execution.REFUSED
				&& this.reference.tryRetry(this, status, remoteType, attachments, execution != Execution.NONE)) {
			return;
		}
		int previous = claim();
		if (previous < 0) {
			return;
		}
		CallTransport target = this.connection;
		boolean sent = previous == SENT;
		boolean earlier = this.attempts != null && this.attempts.mayHaveRun;
		if (!sent && !earlier) {
			this.reference.resources().counts.notSent(status, remainingNanos() <= 0);
		}
		Execution known = (sent ? execution : Execution.NONE).after(earlier);
		this.failure = LazyRpcException.of(this, status, what, known, remoteType, attachments);
		completed();
		if (target == null) {
			return;
		}
		if (sent && (status == RpcStatus.DEADLINE_EXCEEDED || status == RpcStatus.CANCELLED
				|| status == RpcStatus.UNAVAILABLE)) {
			target.cancelRemote(this);
		}
		else if (previous == QUEUED) {
			target.onAbandoned(this);
		}
	}

	/** Returns true if the call may be made again: nothing of its reply was delivered. */
	protected boolean mayRetry() {
		return true;
	}

	/** Claims the end of the call. Returns the state before, or -1 if it had ended. */
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

	/** Releases the request; called once, when the call is claimed. */
	private void releaseArguments() {
		if (this.memory > 0) {
			this.reference.resources().memory.release(this.memory);
		}
		if (this.large != null) {
			this.large.release();
		}
		if (this.context != null) {
			this.context.ended();
		}
	}

	/** Completes a claimed call and wakes its caller. */
	public void completed() {
		this.state = DONE;
		LockSupport.unpark(this.caller);
	}

	/** Resets a call that did not run for another dispatch; false if it has ended. */
	public boolean markNotExecuted() {
		return this.state == QUEUED || STATE.compareAndSet(this, SENT, QUEUED);
	}

	/** Resets a call that failed for another attempt; false if it has ended. */
	public boolean markForRetry() {
		return STATE.compareAndSet(this, SENT, QUEUED);
	}

	/** Waits until the call has ended or its deadline has passed. */
	public @Nullable Object await() throws Throwable {
		boolean interrupted = false;
		while (this.state != DONE) {
			long remaining = remainingNanos();
			if (remaining <= 0) {
				expire();
			}
			// at most 1 ms while another thread completes the call
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
			countOut();
		}
	}

	/** Returns true once the call has ended and its outcome can be read. */
	public final boolean hasEnded() {
		return this.state == DONE;
	}

	/** Cancels a call that its caller gives up, and counts it out. Its caller. */
	public final void cancel(String why) {
		fail(RpcStatus.CANCELLED, why);
		while (this.state != DONE) { // another thread completes it
			LockSupport.parkNanos(this, NANOS_PER_MILLI);
		}
		this.recorded = true;
		countOut();
	}

	@Override
	public void expire() {
		this.reference.expire(this);
	}

	final @Nullable Object result() throws Throwable {
		if (this.failure != null) {
			throw this.failure.reported(this.context, isAsynchronous());
		}
		byte[] reply = (this.length > OutboundFrame.LARGE_BODY)
				? this.reference.resources().largeReply(this, deadlineNanos()) : this.body;
		this.body = OutboundFrame.NOTHING;
		Object result = deserialize(reply);
		if (reply.length == OutboundFrame.SMALL_BODY && !isAsynchronous()) {
			this.reference.resources().arrays.give(reply);
		}
		else if (ownsReply()) {
			ByteArrayPool.SHARED.give(reply);
		}
		return result;
	}

	private @Nullable Object deserialize(byte[] reply) throws Throwable {
		CallTransport from = this.connection;
		try {
			int start = replyOffset();
			int end = start + this.length;
			MethodCodec codec = this.method.codec;
			ReplyReader.Content read = null;
			if (this.replyReader != null) {
				read = this.replyReader.read(this.method, reply, start, end);
				start = read.result();
				codec = read.codec();
			}
			if (this.context != null) {
				this.context.answered((read != null) ? read.attachments() : Attachments.none());
			}
			if (this.outcome == RpcStatus.OK) {
				return codec.deserializeResult(reply, start, end - start);
			}
			throw FailureMessages.thrown(this.method.descriptor, CallTransport.endpoint(from),
					codec.deserializeException(reply, start, end - start));
		}
		catch (SerializationException | ContractException ex) {
			throw this.method.replyNotReadable(CallTransport.endpoint(from), ex);
		}
	}

	/** Counts the call out and records it. Every call passes here once. */
	final void countOut() {
		CallTransport from = this.connection;
		if (this.wasAdmitted) {
			releasePermit(from);
		}
		if (this.method.usesBudget && this.failure == null) {
			this.reference.answered(this);
		}
		if (!this.recorded && this.method.recorder != null) {
			this.method.recorder.record(status(), System.nanoTime() - this.startNanos,
					(from != null) ? from.peer() : "", this);
		}
	}

	/** Returns the permit and the reply's bytes; null for a call that was not sent. */
	void releasePermit(@Nullable CallTransport from) {
		AdaptiveConcurrencyLimit limit = this.reference.resources().limit;
		if (limit.kept.taken.get() > 0) {
			limit.leave(1);
		}
		else { // the usual case of leave(1)
			limit.room.release();
			if (limit.queued.get() > 0) {
				limit.queue().admit();
			}
		}
		if (from != null && this.failure == null && this.length > 0) {
			from.consumed(this.length);
		}
	}

	public final RpcStatus status() {
		return (this.failure != null) ? this.failure.status() : this.outcome;
	}

	@Override
	public long waitedNanos() {
		int left = this.remainingMillis; // as sent to the server, rounded down
		long waited = deadlineNanos() - this.startNanos - (left + 1L) * NANOS_PER_MILLI;
		return (left == 0) ? Long.MAX_VALUE : (left == Integer.MAX_VALUE) ? 0 : Math.max(0, waited);
	}

	@Override
	public @Nullable String message() {
		return (this.failure != null) ? this.failure.getMessage() : null;
	}

	@Override
	public @Nullable String exceptionType() {
		return (this.failure != null) ? this.failure.remoteType() : null;
	}

	@Override
	public long startedNanos() {
		return this.startNanos;
	}

	@Override
	public ReservedPermits.ReferencePermits share() {
		return this.reference.resources().share;
	}

	public boolean isOneWay() {
		return false;
	}

	/**
	 * Called when a one-way call was written or never will be. Event loop only.
	 * @param isAnswered true if the server answers the call
	 */
	public void written(boolean written, boolean isAnswered) {
	}

	public boolean isAsynchronous() {
		return false;
	}

	/** Returns the index of the reply in the body. */
	int replyOffset() {
		return 0;
	}

	/** Returns true if the array of the reply belongs to the call. */
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
