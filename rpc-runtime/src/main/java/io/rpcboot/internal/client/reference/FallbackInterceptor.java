package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.client.call.CallerContext;
import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.stream.LaterResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interceptor that calls a fallback object when a call fails without a verdict of the
 * application.
 */
final class FallbackInterceptor implements RpcClientInterceptor {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	private final Supplier<?> fallback;

	FallbackInterceptor(Supplier<?> fallback) {
		this.fallback = fallback;
	}

	@Override
	public @Nullable Object intercept(ClientInvocation call) throws Throwable {
		Attempt attempt = new Attempt(call.method(), call.arguments().clone(), CallerContext.current(null));
		Object result;
		try {
			result = call.proceed();
		}
		catch (RpcException ex) {
			if (!isWithoutVerdict(ex)) {
				throw ex;
			}
			return answer(attempt, ex);
		}
		return (call.method().style() == Style.FUTURE && result instanceof CompletionStage<?> stage)
				? follow(attempt, stage) : result;
	}

	/**
	 * Returns true if no implementation has rejected the call: the service was not
	 * reached, did not answer in time, or could not take the call.
	 */
	private static boolean isWithoutVerdict(Throwable failure) {
		return failure instanceof RpcException ended && switch (ended.status()) {
			case UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, INTERNAL -> true;
			// an implementation that ran may use these statuses itself
			case NOT_FOUND, FAILED_PRECONDITION, UNIMPLEMENTED -> !ended.mayHaveExecuted();
			case OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, ALREADY_EXISTS, PERMISSION_DENIED, ABORTED, OUT_OF_RANGE,
					DATA_LOSS, UNAUTHENTICATED, APPLICATION, DECLARED ->
				false;
		};
	}

	private @Nullable Object answer(Attempt attempt, Throwable failure) throws Throwable {
		logger.debug("Fallback called: {}", failure.getMessage());
		try {
			Method method = attempt.method().method();
			return LaterResult.of(method, method.invoke(this.fallback.get(), attempt.arguments()), null);
		}
		catch (InvocationTargetException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
	}

	private CompletableFuture<@Nullable Object> follow(Attempt attempt, CompletionStage<?> stage) {
		CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
		stage.whenComplete((value, thrown) -> {
			Throwable failure = (thrown != null) ? Results.cause(thrown) : null;
			if (failure == null) {
				end.complete(value);
			}
			else if (end.isDone() || !isWithoutVerdict(failure)) {
				end.completeExceptionally(failure);
			}
			else {
				Runnable later = () -> answerLater(attempt, failure, end);
				if (CurrentTask.current() == attempt.caller().carried()) {
					later.run();
				}
				else { // an interceptor has completed its own future
					attempt.caller().resume(later);
				}
			}
		});
		return end;
	}

	private void answerLater(Attempt attempt, Throwable failure, CompletableFuture<@Nullable Object> end) {
		try {
			Object result = answer(attempt, failure);
			if (!(result instanceof CompletionStage<?> stage)) {
				throw new IllegalStateException(
						"the fallback of %s returned null (expected: a future)".formatted(attempt.method()), failure);
			}
			stage.whenComplete((value, thrown) -> {
				if (thrown == null) {
					end.complete(value);
				}
				else {
					end.completeExceptionally(Results.cause(thrown));
				}
			});
			end.whenComplete((value, thrown) -> {
				if (end.isCancelled() && stage instanceof Future<?> future) {
					future.cancel(true);
				}
			});
		}
		catch (Throwable ex) {
			end.completeExceptionally(ex);
		}
	}

	/**
	 * Call as it came here, before later interceptors change its arguments.
	 *
	 * @param method called method
	 * @param arguments arguments of the caller
	 * @param caller context of the code that makes the call
	 */
	private record Attempt(MethodDescriptor method, @Nullable Object[] arguments, CallerContext caller) {
	}

}
