package io.rpcboot.metrics;

import org.jspecify.annotations.Nullable;

/** Call of which a test knows the details. */
public record EndedCall(long waitedNanos, @Nullable String message, @Nullable String exceptionType,
		@Nullable String traceId, @Nullable String caller) implements CallDetails {

	public EndedCall(long waitedNanos, @Nullable String message, @Nullable String exceptionType,
			@Nullable String traceId) {
		this(waitedNanos, message, exceptionType, traceId, null);
	}

	/** It did not wait, and did not fail. */
	public static final EndedCall AT_ONCE = new EndedCall(0, null, null, null, null);

}
