package io.rpcboot.internal.server.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import org.jspecify.annotations.Nullable;

/** What an asynchronous method has returned: its end answers the call. Any thread. */
final class PendingResult {

	private final ServerCall call;

	private final CompletionStage<?> stage;

	private PendingResult(ServerCall call, CompletionStage<?> stage) {
		this.call = call;
		this.stage = stage;
	}

	/** Answer the call when the stage ends; at once if it has its result already. */
	static void follow(ServerCall call, CompletionStage<?> stage) {
		// a minimal stage extends it too, and supports none of this
		if (stage.getClass() == CompletableFuture.class) {
			CompletableFuture<?> future = (CompletableFuture<?>) stage;
			if (future.isDone() && !future.isCompletedExceptionally()) {
				ended(call, future.join(), null);
				return;
			}
		}
		PendingResult running = new PendingResult(call, stage);
		// whenComplete would make an exception of its own, and call into this one for it
		stage.handle((result, failure) -> ended(call, result, failure));
		call.running = running;
		if (call.cancelled) {
			running.cancelSoon();
		}
	}

	/** Any thread. Never throws: its call is answered by the end of the stage alone. */
	void cancelSoon() {
		try {
			this.call.connection.server.runHook(this.call.method.line, this::cancel);
		}
		catch (Throwable ex) {
			ErrorResponses.log(this.call, ex);
		}
	}

	private static @Nullable Void ended(ServerCall call, @Nullable Object result, @Nullable Throwable failure) {
		try {
			if (failure == null) {
				call.answer(result);
			}
			else {
				InterceptedExecution.failed(call, failure);
			}
		}
		catch (Throwable ex) {
			ErrorResponses.unexpected(call, ex);
		}
		return null;
	}

	/**
	 * Never on an event loop, for what depends on the stage is the application's code.
	 */
	private void cancel() {
		try {
			ServerCallContext context = this.call.context;
			ServerInterceptorChain.Run run = (context != null) ? context.run : null;
			if (this.stage instanceof Future<?> future) {
				future.cancel(true);
			}
			if (run != null) { // what an interceptor made of it does not hand it on
				run.cancel();
			}
		}
		catch (RuntimeException ex) {
			ErrorResponses.log(this.call, ex);
		}
	}

}
