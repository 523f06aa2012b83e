package io.rpcboot.client;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ServiceProxy.ProxyMethod;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.internal.transport.EventLoopThread;
import io.rpcboot.internal.transport.Frame;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One call from its start to its end: the frame that goes out and the place where the
 * reply arrives. Stop before: service proxy; stop after: write queue; on the way back,
 * stop before: client connection; stop after: the caller.
 * <p>
 * Invariant: one atomic state decides between reply, timeout, cancel and failure, so a
 * call completes exactly once. Only in state {@code SENT} may it have executed. The body
 * is kept until the end, so that a call that did not run can be sent elsewhere.
 */
final class ClientCall extends Frame implements Runnable {

	/** It waits for room in the client and does not count as under way. */
	private static final int OUTSIDE = 0;

	private static final int QUEUED = 1;

	private static final int SENT = 2;

	private static final int COMPLETING = 3;

	private static final int DONE = 4;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private static final AtomicIntegerFieldUpdater<ClientCall> STATE = AtomicIntegerFieldUpdater
		.newUpdater(ClientCall.class, "state");

	private final ServiceProxy proxy;

	private final ProxyMethod method;

	private final long startNanos;

	private final @Nullable Thread waiter;

	private final @Nullable CallFuture future;

	private volatile int state;

	private boolean entered;

	/** Whether its connection has recorded it. */
	private boolean recorded;

	private volatile @Nullable ClientConnection connection;

	private @Nullable ClientConnection watchedBy;

	private int waits;

	private int replyOffset;

	/** Whether the reply is still in the array of the event loop, which completes it. */
	private boolean inPlace;

	private @Nullable RpcException failure;

	ClientCall(ServiceProxy proxy, ProxyMethod method, long startNanos, @Nullable Thread waiter,
			@Nullable CallFuture future) {
		super((method.style() == Style.ONE_WAY) ? FrameType.ONE_WAY : FrameType.REQUEST);
		this.code = method.number();
		this.proxy = proxy;
		this.method = method;
		this.startNanos = startNanos;
		this.waiter = waiter;
		this.future = future;
	}

	/** What is sent. A blocking caller has an array for it, if it is small. */
	void arguments(OutputBuffer out) {
		int count = out.length();
		boolean small = this.waiter != null && count <= SMALL_BODY;
		byte[] taken = small ? this.proxy.arrays().take() : null;
		byte[] bytes = (taken != null) ? taken : new byte[small ? SMALL_BODY : count];
		System.arraycopy(out.array(), 0, bytes, 0, count);
		body(bytes, count);
	}

	/** There was room for it at once. Before any other thread knows it. */
	void entered() {
		STATE.lazySet(this, QUEUED);
	}

	/** There is room for it: send it. Returns false if it is no longer wanted. */
	boolean enter() {
		if (!STATE.compareAndSet(this, OUTSIDE, QUEUED)) {
			return false;
		}
		this.proxy.dispatch(this, null);
		return true;
	}

	/** Hand to a connection. Returns false if that has ended. */
	boolean sendTo(ClientConnection target) {
		this.connection = target;
		return target.send(this);
	}

	@Override
	protected Admission begin(boolean writable) {
		ClientConnection target = this.connection;
		return (target != null) ? target.admit(this, writable) : Admission.SKIP;
	}

	/** On the event loop: the last moment before writing. False if no longer wanted. */
	boolean markSent(long id, long remainingNanos, boolean lastGranted) {
		this.callId = id;
		this.watchedBy = null;
		this.flags = FrameHeader.FLAG_DEADLINE | (lastGranted ? FrameHeader.FLAG_LAST_GRANTED : 0);
		this.remainingMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, remainingNanos / NANOS_PER_MILLI));
		return STATE.compareAndSet(this, QUEUED, SENT);
	}

	@Override
	protected void rejected() {
		this.proxy.dispatchAgain(this);
	}

	@Override
	protected boolean isAbandoned() {
		return this.state >= COMPLETING;
	}

	@Override
	protected boolean wantsOutcome() {
		return this.type == FrameType.ONE_WAY;
	}

	/** One-way only: all that can be known has happened. */
	@Override
	protected void outcome(boolean written) {
		ClientConnection target = this.connection;
		if (target != null) {
			target.oneWayWritten();
		}
		if (written) {
			completeWithReply(0, NOTHING, 0, 0);
		}
		else {
			fail(RpcStatus.UNAVAILABLE, "the connection was lost while writing");
		}
	}

	/**
	 * A reply with status OK or with a declared exception. From here on the body is that
	 * of the reply: what was sent is no longer needed, so a small reply takes its array.
	 */
	void completeWithReply(int flagsOfReply, byte[] bytes, int offset, int length) {
		ClientConnection target = this.connection;
		boolean inPlace = this.future != null && target != null && this.proxy.completesOnLoop()
				&& !target.isTranslating();
		boolean fits = length <= this.body.length && this.body.length <= SMALL_BODY;
		byte[] own = (inPlace || fits) ? this.body : new byte[length];
		if (claim() < 0) {
			if (target != null) {
				target.taken(length);
			}
			return;
		}
		this.flags = flagsOfReply;
		if (inPlace) {
			this.inPlace = true;
			this.replyOffset = offset;
			body(bytes, length);
		}
		else {
			System.arraycopy(bytes, offset, own, 0, length);
			body(own, length);
		}
		try {
			if (this.future != null && target != null) {
				this.recorded = true;
				this.entered = !inPlace;
				target.replied(this.method, status(), this.startNanos, inPlace, length);
			}
		}
		finally {
			completed();
		}
	}

	/** Any other end. Whether it may have executed follows from the state. */
	void fail(RpcStatus status, String what) {
		fail(status, what, false, null);
	}

	void fail(RpcStatus status, String what, boolean certainlyNotExecuted, @Nullable String remoteType) {
		int previous = claim();
		if (previous < 0) {
			return;
		}
		ClientConnection target = this.connection;
		boolean mayHaveExecuted = previous == SENT && !certainlyNotExecuted;
		this.failure = CallFailures.create(this.method.descriptor(), target, status, what,
				System.nanoTime() - this.startNanos, mayHaveExecuted, remoteType);
		completed();
		if (previous == SENT && target != null && (status == RpcStatus.DEADLINE_EXCEEDED
				|| status == RpcStatus.CANCELLED || status == RpcStatus.UNAVAILABLE)) {
			target.forget(this);
		}
		if (this.future != null) {
			this.proxy.callbacks().wake();
		}
	}

	/** Returns the state before, or -1 if another was first. */
	private int claim() {
		while (true) {
			int current = this.state;
			if (current >= COMPLETING) {
				return -1;
			}
			if (STATE.compareAndSet(this, current, COMPLETING)) {
				this.entered = current != OUTSIDE;
				return current;
			}
		}
	}

	private void completed() {
		if (this.waiter != null) {
			this.state = DONE;
			LockSupport.unpark(this.waiter);
		}
		else if (this.future != null) {
			boolean failedThere = this.failure != null && this.proxy.completesOnLoop()
					&& Thread.currentThread() instanceof EventLoopThread;
			if (this.inPlace || failedThere) {
				run();
			}
			else {
				this.proxy.callbacks().publish(this);
			}
		}
		else {
			account();
		}
	}

	/** Whether this connection's timer does not know the call yet. Event loop. */
	boolean watchOnce() {
		boolean first = this.watchedBy != this.connection;
		this.watchedBy = this.connection;
		return first;
	}

	/**
	 * It waits for an instance and belongs to no connection. Returns how often it has.
	 */
	int waits() {
		this.connection = null;
		return ++this.waits;
	}

	/** The call did not run: back to the beginning. False if no longer wanted. */
	boolean markNotExecuted() {
		return this.state == QUEUED || STATE.compareAndSet(this, SENT, QUEUED);
	}

	/** Wait in the calling thread until the call is done or its time is over. */
	@Nullable Object await() throws Throwable {
		boolean interrupted = false;
		while (this.state != DONE) {
			long remaining = remainingNanos();
			if (remaining <= 0) {
				expire();
			}
			else {
				LockSupport.parkNanos(this, remaining);
			}
			if (Thread.interrupted()) {
				interrupted = true;
				fail(RpcStatus.CANCELLED, "the calling thread was interrupted");
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		account();
		return result();
	}

	/** The time is over. Any thread. */
	void expire() {
		if (this.state == OUTSIDE) {
			fail(RpcStatus.DEADLINE_EXCEEDED, CallFailures.noRoom(this.proxy.maxPending()));
			return;
		}
		this.proxy.directory().expire(this);
	}

	/** On a callback thread: complete the future. */
	@Override
	public void run() {
		account();
		CallFuture target = this.future;
		if (target == null) {
			return;
		}
		target.belongsTo(null);
		try {
			target.complete(result());
		}
		catch (Throwable ex) {
			target.completeExceptionally(ex);
		}
	}

	private @Nullable Object result() throws Throwable {
		if (this.failure != null) {
			throw this.failure;
		}
		byte[] reply = this.body;
		this.body = NOTHING;
		Object result = this.proxy.deserialize(this, this.method, this.flags, reply, this.replyOffset, this.length);
		if (this.waiter != null && reply.length == SMALL_BODY) {
			this.proxy.arrays().give(reply);
		}
		return result;
	}

	private void account() {
		if (this.entered) {
			this.proxy.leave();
			ClientConnection target = this.connection;
			if (target != null && this.failure == null && this.length > 0) {
				target.taken(this.length);
			}
		}
		if (!this.recorded) {
			ServiceProxy.record(this.method, status(), this.startNanos);
		}
	}

	private RpcStatus status() {
		if (this.failure != null) {
			return this.failure.status();
		}
		return ((this.flags & FrameHeader.FLAG_DECLARED_EXCEPTION) != 0) ? RpcStatus.APPLICATION : RpcStatus.OK;
	}

	int length() {
		return this.length;
	}

	long id() {
		return this.callId;
	}

	boolean isAsynchronous() {
		return this.waiter == null;
	}

	boolean isQueued() {
		return this.state <= QUEUED;
	}

	boolean isDone() {
		return this.state >= COMPLETING;
	}

	ProxyMethod method() {
		return this.method;
	}

	@Nullable ClientConnection connection() {
		return this.connection;
	}

	long deadlineNanos() {
		return this.startNanos + this.method.timeoutNanos();
	}

	long remainingNanos() {
		return deadlineNanos() - System.nanoTime();
	}

}
