package io.rpcboot.internal.client.call;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Call without a reply. It ends when the socket has taken its bytes; one that the server
 * answers ends with the answer, because it can be sent elsewhere until then. Its deadline
 * ends it, too.
 */
public final class OneWayCall extends AsyncCall {

	/** Future to complete, null without one or once it is completed. */
	private @Nullable CallFuture end;

	/** True if the socket has taken the bytes and the server has not answered yet. */
	private volatile boolean awaitsAnswer;

	/**
	 * Creates a call.
	 * @param end completed when the socket has taken the call or the call has failed,
	 * null if no future is
	 */
	public OneWayCall(CallDispatcher reference, BoundMethod method, long startNanos, @Nullable CallFuture end) {
		super(reference, method, startNanos);
		this.end = end;
	}

	@Override
	public boolean isOneWay() {
		return true;
	}

	@Override
	public void written(boolean written, boolean isAnswered) {
		if (!written) {
			fail(RpcStatus.UNAVAILABLE, "the connection was lost while writing");
		}
		else if (isAnswered) {
			this.awaitsAnswer = true;
			completeFuture(null);
		}
		else {
			handedOver();
		}
	}

	private void handedOver() {
		completeWithReply(RpcStatus.OK, null, OutboundFrame.NOTHING, 0, 0, true);
	}

	@Override
	public boolean markNotExecuted() {
		boolean reset = super.markNotExecuted();
		if (reset) {
			this.awaitsAnswer = false;
		}
		return reset;
	}

	/** Ends the call: one that awaits its answer was handed over in time. */
	@Override
	public void expire() {
		if (this.awaitsAnswer) {
			handedOver();
		}
		else {
			super.expire();
		}
	}

	@Override
	public void completed() {
		if (this.awaitsAnswer && this.failure != null && this.failure.mayHaveExecuted()) {
			this.failure = null; // its caller wants no outcome
			body(OutboundFrame.NOTHING, 0);
		}
		RpcException lost = this.failure;
		if (lost != null) {
			resume(() -> this.reference.resources().counts.oneWayLost(this.method.descriptor,
					FailureMessages.logged(lost)));
		}
		countOut();
		completeFuture(lost);
	}

	private void completeFuture(@Nullable RpcException lost) {
		CallFuture waiting = this.end;
		if (waiting != null) {
			this.end = null;
			this.reference.publish(() -> resume(() -> waiting.end(null, lost)));
			this.reference.resources().callbacks.wake();
		}
	}

	private void resume(Runnable task) {
		if (this.context != null) {
			this.context.resume(task);
		}
		else {
			task.run();
		}
	}

}
