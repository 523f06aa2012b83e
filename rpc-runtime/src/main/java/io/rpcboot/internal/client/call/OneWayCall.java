package io.rpcboot.internal.client.call;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/** Call without a reply: it ends when the socket has taken its bytes. */
public final class OneWayCall extends AsyncCall {

	private final @Nullable CallFuture end;

	/**
	 * Creates a call.
	 * @param end completed when the call ends, null if no future is
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
	public boolean wantsWriteResult() {
		return true;
	}

	@Override
	public void onWriteComplete(boolean written) {
		CallTransport target = this.connection;
		if (target != null) {
			target.oneWayWritten(this, written);
		}
		if (written) {
			completeWithReply(RpcStatus.OK, false, NOTHING, 0, 0, true);
		}
		else {
			fail(RpcStatus.UNAVAILABLE, "the connection was lost while writing");
		}
	}

	@Override
	public void completed() {
		RpcException lost = this.failure;
		if (lost != null) {
			resume(() -> this.reference.resources().counts.oneWayLost(this.method.descriptor,
					FailureMessages.logged(lost)));
		}
		countOut();
		CallFuture waiting = this.end;
		if (waiting != null) {
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
