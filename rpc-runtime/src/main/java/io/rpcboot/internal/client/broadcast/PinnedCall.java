package io.rpcboot.internal.client.broadcast;

import java.util.concurrent.Executor;

import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CalledMethod;
import io.rpcboot.internal.client.call.FutureCall;
import io.rpcboot.internal.client.call.Reference;
import org.jspecify.annotations.Nullable;

/** A call of a broadcast. Its reply completes a future where the broadcast wants it. */
final class PinnedCall extends FutureCall {

	private final @Nullable Executor completer;

	PinnedCall(Reference reference, CalledMethod method, long startNanos, CallFuture future,
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
