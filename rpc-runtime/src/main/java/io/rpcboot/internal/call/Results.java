package io.rpcboot.internal.call;

import java.util.concurrent.CompletionException;

import io.rpcboot.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/** Checks of results of interceptors and futures. */
public final class Results {

	private Results() {
	}

	/**
	 * Checks that a method can return the result of an interceptor.
	 * @param result a value, a future or null
	 * @return the result
	 * @throws IllegalStateException if the method cannot return it
	 */
	public static @Nullable Object require(MethodDescriptor method, Object interceptor, @Nullable Object result) {
		if (!method.canReturn(result)) {
			throw new IllegalStateException("%s returned %s for %s (expected: %s)".formatted(
					interceptor.getClass().getName(), (result != null) ? result.getClass().getTypeName() : "null",
					method, method.method().getGenericReturnType().getTypeName()));
		}
		return result;
	}

	/** Returns the cause of a {@link CompletionException}, else the exception itself. */
	public static Throwable cause(Throwable thrown) {
		Throwable cause = thrown.getCause();
		return (thrown instanceof CompletionException && cause != null) ? cause : thrown;
	}

}
