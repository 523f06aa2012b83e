package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.context.Attachments;

/**
 * What a server says to clients that would make a failed call once more: not before some
 * time has passed, or not at all. It goes with the answer as attachment
 * {@value #ATTACHMENT}, so implementations of other languages can say it, too:
 *
 * <pre>{@code
 * RetryAdvice.notBefore(RpcContext.current().replyAttachments(), Duration.ofMillis(200));
 * throw new IllegalStateException("the leader is being elected");
 * }</pre>
 */
public final class RetryAdvice {

	/** Its value is a number of milliseconds; less than 0 is never. */
	public static final String ATTACHMENT = "retry-pushback-ms";

	private static final String NEVER = "-1";

	private RetryAdvice() {
	}

	/**
	 * Let nobody make the call once more.
	 * @param reply attachments of the reply
	 */
	public static void never(Attachments reply) {
		reply.put(ATTACHMENT, NEVER);
	}

	/**
	 * Let nobody make the call once more before some time has passed.
	 * @param reply attachments of the reply
	 * @param pause 0 or more; a part of a millisecond counts as one
	 */
	public static void notBefore(Attachments reply, Duration pause) {
		if (pause.isNegative()) {
			throw new IllegalArgumentException("pause: %s (expected: 0 or more)".formatted(pause));
		}
		reply.put(ATTACHMENT, String.valueOf(pause.plusNanos(Duration.ofMillis(1).toNanos() - 1).toMillis()));
	}

	/**
	 * What came with an answer.
	 * @param reply attachments of the reply
	 * @return milliseconds, 0 if nothing was said, -1 for never and for what is no number
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
