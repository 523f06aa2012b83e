package io.rpcboot.internal.client.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/** Future of a call; cancelling it cancels the call. Any thread. */
public class CallFuture extends CompletableFuture<@Nullable Object> {

	private static final AtomicReferenceFieldUpdater<CallFuture, @Nullable ClientCall> CALL = AtomicReferenceFieldUpdater
		.newUpdater(CallFuture.class, ClientCall.class, "call");

	private volatile @Nullable ClientCall call;

	/**
	 * Sets the call. A lazy write suffices: publishing the future, or completing it,
	 * follows.
	 */
	public void belongsTo(@Nullable ClientCall call) {
		CALL.lazySet(this, call);
	}

	/** Completes the future after its call has ended. */
	public void end(@Nullable Object result, @Nullable Throwable thrown) {
		belongsTo(null);
		if (thrown == null) {
			complete(result);
		}
		else {
			completeExceptionally(thrown);
		}
	}

	/**
	 * Called once by each call of the future, after it has ended.
	 * @param result null if it has none
	 * @param thrown what the caller gets instead, null for a result
	 */
	public void ended(ClientCall by, @Nullable Object result, @Nullable Throwable thrown) {
		end(result, thrown);
	}

	/** Cancels the call, whose end completes the future. */
	public void cancelCall(String why) {
		ClientCall current = this.call;
		if (current != null) {
			current.fail(RpcStatus.CANCELLED, why);
		}
	}

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		boolean cancelled = super.cancel(mayInterruptIfRunning);
		if (cancelled) {
			cancelCall("the future was cancelled");
		}
		return cancelled;
	}

}
