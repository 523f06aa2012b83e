package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.rpcboot.internal.context.CurrentTask;
import io.rpcboot.internal.stream.LaterResult;
import org.jspecify.annotations.Nullable;

/**
 * Handler of a reference with methods that return a {@code Mono}: each subscriber makes a
 * call, with the context of the code that has called the method. Other methods are those
 * of the handler within.
 *
 * @param within calls the service; its methods return stages
 */
record MonoHandler(InvocationHandler within) implements InvocationHandler {

	/** Returns the handler itself if no method of the interface returns a Mono. */
	static InvocationHandler around(InvocationHandler handler, Class<?> type) {
		return Arrays.stream(type.getMethods()).anyMatch(LaterResult::isMono) ? new MonoHandler(handler) : handler;
	}

	@Override
	public @Nullable Object invoke(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		if (!LaterResult.isMono(called) || called.isDefault()) {
			return this.within.invoke(self, called, arguments);
		}
		Object carried = CurrentTask.current();
		@Nullable Object @Nullable [] given = (arguments != null) ? arguments.clone() : null;
		Callable<CompletionStage<?>> call = () -> stage(self, called, given);
		return LaterResult.mono(() -> {
			try {
				return (carried != null) ? CurrentTask.carrying(carried, call) : call.call();
			}
			catch (Exception ex) {
				return CompletableFuture.failedFuture(ex);
			}
		});
	}

	private CompletionStage<?> stage(Object self, Method called, @Nullable Object @Nullable [] arguments)
			throws Exception {
		try {
			return (CompletionStage<?>) this.within.invoke(self, called, arguments);
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

}
