package io.rpcboot.internal.client.reference;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;

import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.LazyRpcException;
import io.rpcboot.internal.stream.WaitingThread;
import org.jspecify.annotations.Nullable;

/** Subscriber to a reply of one value, which completes a future; its thread may wait. */
final class SingleReply implements Flow.Subscriber<@Nullable Object>, WaitingThread.Waits {

	private final WaitingThread thread = new WaitingThread();

	private final CallFuture future;

	/** The value, null before it has come and for a method without a result. Serial. */
	private @Nullable Object value;

	SingleReply(CallFuture future) {
		this.future = future;
	}

	@Override
	public WaitingThread thread() {
		return this.thread;
	}

	/** Waits for the value. An interrupt cancels the call. */
	@Nullable Object await() throws Throwable {
		boolean isInterrupted = false;
		try {
			while (true) {
				try {
					this.thread.awaitUntil(this.future::isDone, 0);
					return this.future.get();
				}
				catch (InterruptedException ex) {
					isInterrupted = true;
					this.future.cancelCall("the calling thread was interrupted");
				}
			}
		}
		catch (ExecutionException ex) {
			Throwable cause = ex.getCause();
			throw (cause instanceof LazyRpcException failure) ? failure.withStack() : (cause != null) ? cause : ex;
		}
		finally {
			if (isInterrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		given.request(Long.MAX_VALUE);
	}

	@Override
	public void onNext(@Nullable Object reply) {
		this.value = reply;
	}

	@Override
	public void onError(Throwable failure) {
		this.future.end(null, failure);
		this.thread.wake();
	}

	@Override
	public void onComplete() {
		this.future.end(this.value, null);
		this.thread.wake();
	}

}
