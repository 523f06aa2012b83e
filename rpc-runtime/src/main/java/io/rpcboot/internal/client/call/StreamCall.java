package io.rpcboot.internal.client.call;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.stream.ElementMeter;
import io.rpcboot.internal.stream.ElementSink;
import io.rpcboot.internal.stream.InboundElements;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.internal.stream.WaitingThread;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.transport.StreamInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Call whose reply is a stream of elements for a subscriber, whose request is one of the
 * caller, or both. It counts as pending until its first element, or until the headers of
 * the response if the request streams; its timeout is the time until then. A reply that
 * is no stream is the only element.
 * <p>
 * Signals are serial. They run where replies run: on a callback thread, or on the event
 * loop.
 */
public final class StreamCall extends AsyncCall implements InboundElements.Owner {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final Flow.Subscriber<? super @Nullable Object> subscriber;

	private final InboundElements elements = new InboundElements(this, Side.CLIENT);

	/** Elements that the caller sends, null for a request of one message. */
	private final @Nullable Upload upload;

	/** Elements that have passed, for metrics. */
	public final ElementMeter meter;

	private final AtomicBoolean permitReleased = new AtomicBoolean();

	/** Stream of the elements, null before the first one. */
	private volatile @Nullable Stream stream;

	/** Failure of the caller's stream, null without one. */
	private volatile @Nullable Throwable uploadFailure;

	/** Failure of the start, null if the call has started. */
	private volatile @Nullable Throwable unstarted;

	/**
	 * Creates a call.
	 * @param sent stream that the caller sends, null if the method takes none
	 */
	public StreamCall(CallDispatcher reference, BoundMethod method, long startNanos,
			Flow.Subscriber<? super @Nullable Object> subscriber, Flow.@Nullable Publisher<?> sent) {
		super(reference, method, startNanos);
		this.subscriber = subscriber;
		this.meter = new ElementMeter(method.recorder, startNanos);
		this.upload = (sent != null) ? new Upload(this, sent, isBlocking(method)) : null;
	}

	private static boolean isBlocking(BoundMethod method) {
		return method.streamParameter >= 0
				&& StreamType.isBlocking(method.descriptor.method().getParameterTypes()[method.streamParameter]);
	}

	/** Stream of elements, as its call sees it. Any thread. */
	public interface Stream {

		/**
		 * Gives bytes back to the window, for which the server may send others.
		 * @param hasWaited true if the subscriber has waited for one of the elements
		 */
		void consumed(int bytes, boolean hasWaited);

	}

	/** Returns true if the reply is a stream, also one of calls; else it is one value. */
	public boolean hasStreamedReply() {
		return this.method.style == Style.STREAM || !this.method.callbacks.isEmpty();
	}

	/** Returns true if the request is a stream. */
	public boolean hasStreamedRequest() {
		return this.upload != null;
	}

	/**
	 * Gives the subscriber its subscription, once the call has started.
	 * @param failure why it could not start; null if it has
	 */
	public void subscribed(@Nullable Throwable failure) {
		if (failure != null) {
			this.unstarted = failure;
			this.elements.end();
		}
		this.elements.subscribe(this.subscriber);
	}

	/** Returns true if the caller's stream was asked for elements that have not come. */
	public boolean owesElements() {
		return this.upload != null && this.upload.owesElements();
	}

	/** Reports the elements of the reply that have passed. Event loop only. */
	public void report() {
		this.meter.results(hasStreamedReply() ? this.elements.arrived() : 0, this.elements.arrivedBytes());
	}

	/** Returns the state of the elements of the reply. Any thread. */
	public StreamInfo.Elements received() {
		return this.elements.describe();
	}

	/** Sends the caller's elements: the request has begun. Event loop only. */
	public void opened(ElementSink sink, Runnable complete) {
		if (this.upload != null) {
			this.upload.begin(sink, complete);
		}
	}

	/** The sink of the caller's elements has written some. Event loop only. */
	public void onWritten() {
		if (this.upload != null) {
			this.upload.onWritten();
		}
	}

	/** The connection drains: tells the caller's publisher and subscriber. */
	public void onDrain() {
		if (this.upload != null) {
			this.upload.onDrain();
		}
		this.elements.onDrain();
	}

	/** Begins with the reply: the call is not pending any more. Event loop only. */
	public void begins(Stream from) {
		releasePermit(null);
		this.stream = from;
	}

	/** Returns true once the reply has begun. */
	public boolean hasBegun() {
		return this.stream != null;
	}

	/**
	 * Adds an element. Event loop only.
	 * @param bytes begin with the element; not changed afterwards
	 * @param reserved bytes that are reserved for it
	 */
	public void element(byte[] bytes, int length, int reserved) {
		this.elements.add(bytes, length, reserved);
	}

	/** Ends the call with a failure of the caller's own stream. Any thread. */
	void failHere(Throwable why) {
		this.uploadFailure = why;
		fail(RpcStatus.CANCELLED, "the caller's stream has failed");
	}

	@Override
	public void deliver(Runnable task, Flow.Subscriber<?> to) {
		CallMetadata metadata = this.context;
		Runnable resumed = (metadata != null) ? () -> metadata.resume(task) : task;
		if (to instanceof WaitingThread.Waits waits && waits.thread().offer(resumed)) {
			return;
		}
		if (this.reference.completesOnLoop() && Thread.currentThread() instanceof EventLoopThread) {
			resumed.run();
			return;
		}
		runLater(resumed);
	}

	/** Runs a task on a callback thread. */
	void runLater(Runnable task) {
		this.reference.publish(task);
		this.reference.resources().callbacks.wake();
	}

	@Override
	public @Nullable Object read(byte[] bytes, int length, long index) {
		Object value;
		try {
			value = this.method.codec.deserializeResult(bytes, 0, length);
		}
		catch (RuntimeException ex) {
			throw this.method.replyNotReadable(CallTransport.endpoint(this.connection), ex);
		}
		if (value == null && hasStreamedReply()) {
			throw FailureMessages.nullElement(this.method.descriptor, CallTransport.endpoint(this.connection), index);
		}
		return value;
	}

	@Override
	public void release(int reserved) {
		CallTransport from = this.connection;
		if (from != null) {
			from.consumed(reserved);
		}
	}

	@Override
	public void restoreWindow(int bytes, boolean hasWaited) {
		Stream open = this.stream;
		if (open != null) {
			open.consumed(bytes, hasWaited);
		}
	}

	@Override
	public void unwanted(String why) {
		fail(RpcStatus.CANCELLED, why);
	}

	@Override
	public @Nullable Throwable outcome() {
		Throwable failed = (this.unstarted != null) ? this.unstarted : end();
		if (this.context != null) {
			boolean isUnwanted = this.elements.isCancelled() && status() == RpcStatus.CANCELLED;
			this.context.streamEnded(isUnwanted ? new CancellationException("the subscriber has cancelled") : failed);
		}
		return failed;
	}

	private @Nullable Throwable end() {
		Throwable failed = null;
		try {
			if (this.failure != null || status() != RpcStatus.OK) {
				result();
			}
		}
		catch (Throwable ex) {
			failed = ex;
		}
		try {
			countOut();
			CallTransport from = this.connection;
			this.meter.ended(status(), (from != null) ? from.peer() : "");
			if (!hasBegun()) {
				this.reference.onCompleted(this);
			}
			else if (this.failure == null && length() > 0 && from != null) {
				from.consumed(length()); // of a declared exception
			}
		}
		catch (Throwable ex) { // of a queued call that is admitted now
			logger.warn("{}: the end of the call has failed", this.method.descriptor, ex);
		}
		return failed;
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
		if (this.upload != null) {
			this.upload.end();
		}
		Throwable own = this.uploadFailure;
		if (own != null && this.failure != null) {
			this.elements.fail(() -> own);
		}
		else {
			this.elements.end();
		}
	}

	/** Elements that were taken from the caller are not there a second time. */
	@Override
	protected boolean mayRetry() {
		return !hasBegun() && (this.upload == null || this.upload.mayBeginAgain());
	}

	@Override
	public boolean markNotExecuted() {
		if (mayRetry()) {
			return super.markNotExecuted();
		}
		onError(new ErrorReply(RpcStatus.UNAVAILABLE, Execution.NONE, "",
				"the server ends the connection, and the caller's stream has begun", Attachments.none()));
		return false;
	}

	@Override
	public boolean markForRetry() {
		return mayRetry() && super.markForRetry();
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
			fail(RpcStatus.DEADLINE_EXCEEDED, "the stream has not ended within its time, after " + progress());
		}
		else {
			super.expire();
		}
	}

	/** Ends the stream of a connection that was lost. Event loop only. */
	public void lost(String why) {
		fail(RpcStatus.UNAVAILABLE, why + " after " + progress());
	}

	/** Returns how many elements were there. Event loop, or once the call has ended. */
	private String progress() {
		String sent = (this.upload != null) ? "%d elements of the caller".formatted(this.upload.elements()) : "";
		String arrived = hasStreamedReply() ? "%d elements".formatted(this.elements.arrived()) : "";
		return sent.isEmpty() || arrived.isEmpty() ? sent + arrived : arrived + " and " + sent;
	}

	/** Once: with the begin of the reply, or at the end of a call that had none. */
	@Override
	void releasePermit(@Nullable CallTransport from) {
		if (this.permitReleased.compareAndSet(false, true)) {
			super.releasePermit(from);
		}
	}

}
