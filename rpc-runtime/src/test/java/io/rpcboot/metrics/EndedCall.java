package io.rpcboot.metrics;

import org.jspecify.annotations.Nullable;

/** Call of which a test knows the details. */
public record EndedCall(long waitedNanos, @Nullable String message, @Nullable String exceptionType,
		@Nullable String traceId) implements CallDetails {

	/** It did not wait, and did not fail. */
	public static final EndedCall AT_ONCE = new EndedCall(0, null, null, null);

}
