package io.rpcboot.internal.server.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.rpcboot.context.RpcContext;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;

/**
 * Incomplete result of an asynchronous method. Its completion answers the call. Any
 * thread.
 */
final class PendingResult implements RunningResult {

	private final ServerCall call;

	private final CompletionStage<?> stage;

	private PendingResult(ServerCall call, CompletionStage<?> stage) {
		this.call = call;
		this.stage = stage;
	}

	/** Answers a call when a stage completes; at once if that has a result. */
	static void follow(ServerCall call, CompletionStage<?> stage) {
		// not a subclass: a minimal stage throws from join()
		if (stage.getClass() == CompletableFuture.class) {
			CompletableFuture<?> future = (CompletableFuture<?>) stage;
			if (future.isDone() && !future.isCompletedExceptionally()) {
				call.completed(future.join(), null);
				return;
			}
		}
		PendingResult pending = new PendingResult(call, stage);
		// handle and not whenComplete, which would wrap the exception in another stage
		stage.handle((result, failure) -> call.completed(result, failure));
		call.pending = pending;
		if (call.cancelled) {
			pending.cancelSoon();
		}
	}

	/** Cancels the stage on a hook thread. */
	@Override
	public void cancelSoon() {
		try {
			RpcContext context = this.call.context;
			this.call.responder.server.runHook(this.call.method.queue,
					(context != null) ? context.wrap(this::cancel) : this::cancel);
		}
		catch (Throwable ex) {
			this.call.responder.log(this.call, ex);
		}
	}

	/** Runs code of the application that depends on the stage: never on an event loop. */
	private void cancel() {
		try {
			ServerInterceptorChain.Run run = this.call.interceptors();
			if (this.stage instanceof Future<?> future) {
				future.cancel(true);
			}
			if (run != null) { // a stage of an interceptor does not cancel its source
				run.cancel();
			}
		}
		catch (RuntimeException ex) {
			this.call.responder.log(this.call, ex);
		}
	}

}
