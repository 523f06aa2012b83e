package io.rpcboot.internal.stream;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.rpcboot.context.RpcContext;
import org.jspecify.annotations.Nullable;

/** One value that comes later, as a stage or as Reactor's {@code Mono}. */
public final class LaterResult {

	private static final String MONO = "reactor.core.publisher.Mono";

	private LaterResult() {
	}

	/** Returns true if a method returns a {@code Mono}. */
	public static boolean isMono(Method method) {
		return method.getReturnType().getName().equals(MONO);
	}

	/**
	 * Returns what a method has returned, a {@code Mono} as a stage. It is subscribed at
	 * once; cancelling the stage cancels it.
	 * @param context served call in which it is subscribed, null for the state of the
	 * thread
	 */
	public static @Nullable Object of(Method method, @Nullable Object result, @Nullable RpcContext context) {
		return (result == null || result instanceof CompletionStage || !isMono(method)) ? result
				: stage(result, context);
	}

	private static CompletionStage<?> stage(Object mono, @Nullable RpcContext context) {
		if (context == null) {
			return ReactorStreams.stage(mono);
		}
		AtomicReference<@Nullable CompletionStage<?>> stage = new AtomicReference<>();
		context.wrap(() -> stage.set(ReactorStreams.stage(mono))).run();
		return Objects.requireNonNull(stage.get());
	}

	/**
	 * Returns a {@code Mono} whose subscribers each cause a stage.
	 * @param call returns a new stage
	 */
	public static Object mono(Supplier<CompletionStage<?>> call) {
		return ReactorStreams.mono(call);
	}

}
