package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.Executor;

import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallDispatcher;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.FutureCall;
import org.jspecify.annotations.Nullable;

/** A call of a broadcast. Its reply completes a future where the broadcast wants it. */
final class BroadcastCall extends FutureCall {

	private final @Nullable Executor completer;

	BroadcastCall(CallDispatcher reference, BoundMethod method, long startNanos, CallFuture future,
			@Nullable Executor completer) {
		super(reference, method, startNanos, future);
		this.completer = completer;
	}

	@Override
	public void completed() {
		if (this.completer == null) {
			super.completed();
		}
		else {
			this.completer.execute(this);
		}
	}

}
