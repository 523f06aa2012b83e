package io.rpcboot.internal.call;

import java.util.concurrent.CompletionException;

import io.rpcboot.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/** What comes out of interceptors. */
public final class Results {

	private Results() {
	}

	/**
	 * Refuse what the caller could not be given.
	 * @param method what is called
	 * @param interceptor has returned it
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

	/**
	 * What has failed, without what a stage puts around it.
	 * @param thrown what a stage or a method has thrown
	 * @return the same if nothing is around it
	 */
	public static Throwable cause(Throwable thrown) {
		Throwable cause = thrown.getCause();
		return (thrown instanceof CompletionException && cause != null) ? cause : thrown;
	}

}
