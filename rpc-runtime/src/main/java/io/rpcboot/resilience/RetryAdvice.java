package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.context.Attachments;

/**
 * Retry pushback of a server: a failed call is retried after a pause, or not at all. It
 * travels with the reply as attachment {@value #ATTACHMENT}, so that servers in other
 * languages can send it. <pre>{@code
 * RetryAdvice.notBefore(RpcContext.current().replyAttachments(), Duration.ofMillis(200));
 * throw new IllegalStateException("the leader is being elected");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RetryAdvice {

	/**
	 * Name of the attachment. Its value is a number of milliseconds; a negative number
	 * means never.
	 */
	public static final String ATTACHMENT = "retry-pushback-ms";

	private static final String NEVER = "-1";

	private RetryAdvice() {
	}

	/**
	 * Prevents retries of the call.
	 * @param reply attachments of the reply
	 */
	public static void never(Attachments reply) {
		reply.put(ATTACHMENT, NEVER);
	}

	/**
	 * Delays retries of the call.
	 * @param reply attachments of the reply
	 * @param pause 0 or more, rounded up to milliseconds
	 * @throws IllegalArgumentException if it is negative
	 */
	public static void notBefore(Attachments reply, Duration pause) {
		if (pause.isNegative()) {
			throw new IllegalArgumentException("pause: %s (expected: 0 or more)".formatted(pause));
		}
		reply.put(ATTACHMENT, String.valueOf(pause.plusNanos(Duration.ofMillis(1).toNanos() - 1).toMillis()));
	}

	/**
	 * Returns the pushback of a reply.
	 * @param reply attachments of the reply
	 * @return milliseconds, 0 without pushback, -1 for never and for a malformed number
	 */
	public static long of(Attachments reply) {
		String value = reply.get(ATTACHMENT);
		try {
			return (value != null) ? Math.max(-1, Long.parseLong(value)) : 0;
		}
		catch (NumberFormatException ex) {
			return -1;
		}
	}

}
