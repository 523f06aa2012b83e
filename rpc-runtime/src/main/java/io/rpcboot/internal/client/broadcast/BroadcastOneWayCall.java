package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.Executor;

import io.rpcboot.RpcException;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallDispatcher;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.OneWayCall;
import org.jspecify.annotations.Nullable;

/**
 * A one-way call of a broadcast. What is known of its end completes a future where the
 * broadcast wants it.
 */
final class BroadcastOneWayCall extends OneWayCall implements Runnable {

	private final CallFuture future;

	private final @Nullable Executor completer;

	BroadcastOneWayCall(CallDispatcher reference, BoundMethod method, long startNanos, CallFuture future,
			@Nullable Executor completer) {
		super(reference, method, startNanos);
		this.future = future;
		this.completer = completer;
	}

	@Override
	public void completed() {
		super.completed();
		if (this.completer != null) {
			this.completer.execute(this);
			return;
		}
		this.reference.callbacks.publish(this);
		this.reference.callbacks.wake();
	}

	/** Complete the future. On a callback thread, or the one that waits. */
	@Override
	public void run() {
		RpcException lost = this.failure;
		this.future.belongsTo(null);
		if (lost == null) {
			this.future.complete(null);
		}
		else {
			this.future.completeExceptionally(lost);
		}
	}

}
