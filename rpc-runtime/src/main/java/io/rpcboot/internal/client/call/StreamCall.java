package io.rpcboot.internal.client.call;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Call whose reply is a stream of elements for a subscriber. It counts as pending until
 * its first element, and its timeout is the time until then. Elements wait here until
 * they are asked for; those that wait take the window of their stream, so that the server
 * sends no more.
 * <p>
 * Signals are serial. They run where replies run: on a callback thread, or on the event
 * loop. Any thread may request and cancel.
 */
public final class StreamCall extends AsyncCall implements Runnable, Flow.Subscription {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/** Memory of an element that waits beside its bytes. */
	public static final int OVERHEAD = 64;

	/** Consumed bytes of which the stream is told at once. */
	private static final int STEP = 16 * 1024;

	private final Flow.Subscriber<? super @Nullable Object> subscriber;

	private final Queue<Element> elements = new ConcurrentLinkedQueue<>();

	/** Elements that were asked for and not delivered. */
	private final AtomicLong demand = new AtomicLong();

	/**
	 * Reasons to deliver; the first one sends the call to a thread. One from the begin on
	 * until the subscriber has its subscription.
	 */
	private final AtomicInteger reasons = new AtomicInteger(1);

	private final AtomicBoolean permitReleased = new AtomicBoolean();

	/** Stream of the elements, null before the first one. */
	private volatile @Nullable Stream stream;

	/** Failure of the start, null if the call has started. */
	private volatile @Nullable Throwable unstarted;

	/** Failure of the subscription itself, null without one. */
	private volatile @Nullable Throwable misuse;

	/** True once the subscriber wants no more signals. */
	private volatile boolean unsubscribed;

	/** True once the call has ended; elements may still wait. */
	private volatile boolean ended;

	/** True once the end was signalled. Serial. */
	private boolean signalled;

	/** Elements that were delivered. Serial. */
	private volatile long delivered;

	/** Consumed bytes of which the stream was not told. Serial. */
	private int consumed;

	public StreamCall(CallDispatcher reference, BoundMethod method, long startNanos,
			Flow.Subscriber<? super @Nullable Object> subscriber) {
		super(reference, method, startNanos);
		this.subscriber = subscriber;
	}

	/** Stream of elements, as its call sees it. Any thread. */
	public interface Stream {

		/** Gives bytes back to the window, for which the server may send others. */
		void consumed(int bytes);

	}

	/**
	 * Element that waits.
	 *
	 * @param bytes begin with the element
	 * @param length its length
	 * @param reserved bytes that are reserved for it
	 */
	private record Element(byte[] bytes, int length, int reserved) {
	}

	/**
	 * Gives the subscriber its subscription, once the call has started.
	 * @param failure why it could not start; null if it has
	 */
	public void subscribed(@Nullable Throwable failure) {
		if (failure != null) {
			this.unstarted = failure;
			this.ended = true;
		}
		try {
			this.subscriber.onSubscribe(this);
		}
		catch (Throwable ex) { // which a subscriber must not
			logger.warn("{}: the subscriber has thrown; its stream is cancelled", this.method.descriptor, ex);
			cancel();
		}
		hand();
	}

	/**
	 * Begins with the first element: the call is not pending any more. Event loop only.
	 */
	public void begins(Stream from) {
		releasePermit(null);
		this.stream = from;
	}

	/** Returns true once the first element has arrived. */
	public boolean hasBegun() {
		return this.stream != null;
	}

	/**
	 * Adds an element. Event loop only.
	 * @param bytes begin with the element; not changed afterwards
	 * @param reserved bytes that are reserved for it
	 */
	public void element(byte[] bytes, int length, int reserved) {
		this.elements.add(new Element(bytes, length, reserved));
		deliverSoon();
	}

	@Override
	public void request(long count) {
		if (count <= 0) {
			this.misuse = new IllegalArgumentException("request(%d) (expected: at least 1)".formatted(count));
			fail(RpcStatus.CANCELLED, "the subscriber asked for %d elements".formatted(count));
			deliverSoon();
			return;
		}
		this.demand.getAndUpdate((before) -> (before + count < 0) ? Long.MAX_VALUE : before + count);
		deliverSoon();
	}

	@Override
	public void cancel() {
		this.unsubscribed = true;
		fail(RpcStatus.CANCELLED, "the subscriber has cancelled");
		deliverSoon();
	}

	private void deliverSoon() {
		if (this.reasons.getAndIncrement() != 0) {
			return; // the thread that delivers goes on
		}
		hand();
	}

	private void hand() {
		if (this.reference.completesOnLoop() && Thread.currentThread() instanceof EventLoopThread) {
			run();
			return;
		}
		try {
			this.reference.publish(this);
			this.reference.resources().callbacks.wake();
		}
		catch (Error ex) { // no memory for the hand-over
			run();
		}
	}

	/** Delivers what was asked for. */
	@Override
	public void run() {
		if (this.context != null) {
			this.context.resume(this::deliver);
		}
		else {
			deliver();
		}
	}

	private void deliver() {
		int seen = this.reasons.get();
		do {
			deliverElements();
			if (this.ended && !this.signalled && (wantsNoMore() || this.elements.isEmpty())) {
				this.signalled = true;
				signalEnd();
			}
			seen = this.reasons.addAndGet(-seen);
		}
		while (seen != 0);
	}

	private boolean wantsNoMore() {
		return this.unsubscribed || this.misuse != null || this.signalled;
	}

	private void deliverElements() {
		while (true) {
			if (!wantsNoMore() && this.demand.get() == 0) {
				return;
			}
			Element next = this.elements.poll();
			if (next == null) {
				return;
			}
			if (!wantsNoMore()) {
				this.demand.decrementAndGet();
				deliver(next);
			}
			consumed(next);
		}
	}

	private void deliver(Element next) {
		Object value;
		try {
			value = this.method.codec.deserializeResult(next.bytes, 0, next.length);
		}
		catch (Throwable ex) { // an Error, too: no signal follows otherwise
			this.misuse = (ex instanceof RuntimeException cause)
					? this.method.replyNotReadable(CallTransport.endpoint(this.connection), cause) : ex;
			fail(RpcStatus.CANCELLED, "an element cannot be read");
			return;
		}
		if (value == null) {
			CallTransport from = this.connection;
			this.misuse = new RpcException(RpcStatus.INTERNAL,
					"%s%s: element %d of the stream is null (expected: a value)".formatted(this.method.descriptor,
							(from != null) ? " at " + from.endpoint() : "", this.delivered),
					true);
			fail(RpcStatus.CANCELLED, "an element is null");
			return;
		}
		this.delivered++;
		try {
			this.subscriber.onNext(value);
		}
		catch (Throwable ex) { // which a subscriber must not
			logger.warn("{}: the subscriber has thrown; its stream is cancelled", this.method.descriptor, ex);
			cancel();
		}
	}

	private void consumed(Element done) {
		CallTransport from = this.connection;
		if (from != null) {
			from.consumed(done.reserved);
		}
		this.consumed += done.length + OVERHEAD;
		Stream open = this.stream;
		if (open != null && this.consumed >= STEP) {
			open.consumed(this.consumed);
			this.consumed = 0;
		}
	}

	private void signalEnd() {
		if (this.unstarted != null) {
			signal(this.unstarted);
			return;
		}
		Throwable failed = outcome();
		try {
			countOut();
			CallTransport from = this.connection;
			if (!hasBegun()) {
				this.reference.onCompleted(this);
			}
			else if (this.failure == null && length() > 0 && from != null) {
				from.consumed(length()); // of a declared exception
			}
		}
		finally { // a queued call that is admitted now may throw
			if (!this.unsubscribed) {
				signal(failed);
			}
		}
	}

	private void signal(@Nullable Throwable failed) {
		try {
			if (failed == null) {
				this.subscriber.onComplete();
			}
			else {
				this.subscriber.onError(failed);
			}
		}
		catch (Throwable ex) { // which a subscriber must not
			logger.warn("{}: the subscriber has thrown at the end of its stream", this.method.descriptor, ex);
		}
	}

	/** Returns the failure of the stream, null if it is complete. */
	private @Nullable Throwable outcome() {
		if (this.misuse != null) {
			return this.misuse;
		}
		try {
			if (this.failure != null || status() != RpcStatus.OK) {
				result();
			}
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	/** Ends the call: OK after the last element, or DECLARED with an exception. */
	@Override
	public boolean completeWithReply(RpcStatus reply, @Nullable ReplyReader reader, byte[] bytes, int offset,
			int length, boolean own) {
		if (!claimForReply(reply, reader)) {
			return false;
		}
		if (reply == RpcStatus.OK) {
			body(OutboundFrame.NOTHING, 0);
		}
		else {
			byte[] copy = OutboundFrame.copy(bytes, offset, offset + length);
			body(copy, copy.length);
		}
		completed();
		return true;
	}

	@Override
	public void completed() {
		this.ended = true;
		deliverSoon();
	}

	@Override
	protected boolean mayRetry() {
		return !hasBegun();
	}

	/** Tells the server the deadline of the whole stream, if there is one. */
	@Override
	public boolean markSent(long id, long remainingNanos) {
		long all = wholeNanos();
		return super.markSent(id, (all != Long.MAX_VALUE) ? this.startNanos + all - System.nanoTime() : Long.MAX_VALUE);
	}

	/** Returns the time allowed for the whole stream; {@link Long#MAX_VALUE} for any. */
	public long wholeNanos() {
		return (this.context != null) ? Math.min(this.method.wholeNanos, this.context.wholeNanos)
				: this.method.wholeNanos;
	}

	@Override
	public long deadlineNanos() {
		return hasBegun() ? this.startNanos + Math.min(Long.MAX_VALUE / 4, wholeNanos()) : super.deadlineNanos();
	}

	@Override
	public void expire() {
		if (hasBegun()) {
			fail(RpcStatus.DEADLINE_EXCEEDED,
					"the stream has not ended within its time, after %d elements".formatted(this.delivered));
		}
		else {
			super.expire();
		}
	}

	/** Ends the stream of a connection that was lost. Event loop only. */
	public void lost(String why) {
		fail(RpcStatus.UNAVAILABLE, why + " after %d elements".formatted(this.delivered + this.elements.size()));
	}

	/** Once: with the first element, or at the end of a call that had none. */
	@Override
	void releasePermit(@Nullable CallTransport from) {
		if (this.permitReleased.compareAndSet(false, true)) {
			super.releasePermit(from);
		}
	}

}
