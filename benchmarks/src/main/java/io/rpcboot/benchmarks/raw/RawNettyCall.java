package io.rpcboot.benchmarks.raw;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A call of raw Netty: link of the write queue, entry of the pending table and place of
 * the answer in one object. Has either a future or a thread that waits.
 */
final class RawNettyCall {

	final byte[] body;

	final @Nullable CompletableFuture<byte[]> future;

	private final @Nullable Thread caller;

	/** The call enqueued before this one; after the drain turned them, the one after. */
	@Nullable RawNettyCall next;

	private volatile byte @Nullable [] answer;

	private volatile @Nullable Throwable failure;

	RawNettyCall(byte[] body, @Nullable CompletableFuture<byte[]> future) {
		this.body = body;
		this.future = future;
		this.caller = (future != null) ? null : Thread.currentThread();
	}

	void complete(byte[] result) {
		if (this.future != null) {
			this.future.complete(result);
			return;
		}
		this.answer = result;
		LockSupport.unpark(this.caller);
	}

	void fail(Throwable cause) {
		if (this.future != null) {
			this.future.completeExceptionally(cause);
			return;
		}
		this.failure = cause;
		LockSupport.unpark(this.caller);
	}

	byte[] await() {
		while (true) {
			byte[] result = this.answer;
			if (result != null) {
				return result;
			}
			Throwable cause = this.failure;
			if (cause != null) {
				throw new IllegalStateException(cause);
			}
			LockSupport.park(this);
		}
	}

}
