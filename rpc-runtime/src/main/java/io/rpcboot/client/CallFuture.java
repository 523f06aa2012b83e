package io.rpcboot.client;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/** What a method of style FUTURE returns: cancelling it cancels the call. */
final class CallFuture extends CompletableFuture<@Nullable Object> {

	private volatile @Nullable ClientCall call;

	void belongsTo(@Nullable ClientCall call) {
		this.call = call;
	}

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		boolean cancelled = super.cancel(mayInterruptIfRunning);
		ClientCall current = this.call;
		if (cancelled && current != null) {
			current.fail(RpcStatus.CANCELLED, "the future was cancelled");
		}
		return cancelled;
	}

}
