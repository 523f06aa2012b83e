package io.rpcboot.resilience;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

import io.rpcboot.RpcStatus;
import io.rpcboot.transport.Options;

/**
 * Options of retries: calls of {@linkplain io.rpcboot.RpcMethod#idempotent() idempotent}
 * methods that failed and may have executed. A call that did not execute needs no option:
 * it is sent to another instance anyway. Immutable. <pre>{@code
 * RetryOptions.defaults().withMaxAttempts(2).withBackoff(Duration.ofMillis(50), Duration.ofSeconds(1))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RetryOptions extends Options {

	private static final RetryOptions DEFAULTS = new RetryOptions();

	private static final int MOST_ATTEMPTS = 10;

	private static final Set<RpcStatus> ALLOWED = Set
		.copyOf(EnumSet.of(RpcStatus.UNAVAILABLE, RpcStatus.APPLICATION, RpcStatus.INTERNAL,
				RpcStatus.RESOURCE_EXHAUSTED, RpcStatus.DEADLINE_EXCEEDED, RpcStatus.UNKNOWN, RpcStatus.ABORTED));

	private int maxAttempts = 3;

	private Duration minBackoff = Duration.ofMillis(10);

	private Duration maxBackoff = Duration.ofMillis(250);

	private Set<RpcStatus> statuses = Set.of(RpcStatus.UNAVAILABLE, RpcStatus.APPLICATION);

	private double budget = 0.2;

	private RetryOptions() {
	}

	/**
	 * Returns the defaults:
	 * <ul>
	 * <li>3 attempts, including the first one;
	 * <li>a random pause of at most 10 ms before the second attempt and of at most 20 ms
	 * before the third; none before the second if another instance is ready;
	 * <li>retries after UNAVAILABLE (the connection was lost) and APPLICATION (the
	 * implementation threw an undeclared exception);
	 * <li>a budget of 20 % of the successful calls, as in Finagle: if every call fails,
	 * there are no retries.
	 * </ul>
	 * @return the defaults
	 */
	public static RetryOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with another maximum of attempts.
	 * @param attempts 1 (no retries) to 10, including the first one
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public RetryOptions withMaxAttempts(int attempts) {
		require(attempts >= 1 && attempts <= MOST_ATTEMPTS, "retry.max-attempts", attempts,
				"1 (no retries) to " + MOST_ATTEMPTS);
		return copy((changed) -> changed.maxAttempts = attempts);
	}

	/**
	 * Returns a copy with other bounds of the pause. Each pause is random between 0 and a
	 * bound, so that calls that failed together are not retried together; the bound
	 * doubles with each attempt.
	 * @param min the first bound, more than 0
	 * @param max the largest bound, min or more
	 * @return a copy
	 * @throws InvalidOptionException if a value is out of range
	 */
	public RetryOptions withBackoff(Duration min, Duration max) {
		positive("retry.min-backoff", min);
		require(max.compareTo(min) >= 0, "retry.max-backoff", max, "at least retry.min-backoff");
		return copy((changed) -> {
			changed.minBackoff = min;
			changed.maxBackoff = max;
		});
	}

	/**
	 * Returns a copy with other statuses after which a call is retried.
	 * @param statuses some of UNAVAILABLE, APPLICATION, INTERNAL, RESOURCE_EXHAUSTED,
	 * UNKNOWN, ABORTED and DEADLINE_EXCEEDED (of a nested call of the server: the
	 * caller's own deadline leaves no time)
	 * @return a copy
	 * @throws InvalidOptionException if another status is given
	 */
	public RetryOptions withStatuses(Collection<RpcStatus> statuses) {
		for (RpcStatus status : statuses) {
			require(ALLOWED.contains(status), "retry.statuses", status,
					"unavailable, application, internal, resource-exhausted, deadline-exceeded, unknown or aborted");
		}
		return copy((changed) -> changed.statuses = Set.copyOf(statuses));
	}

	/**
	 * Returns a copy with another budget of retries.
	 * @param share retries in relation to the successful calls of the idempotent methods
	 * of a reference, 0 (none) to 1. The budget of 5 s can be saved, and 5 retries are
	 * always allowed
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public RetryOptions withBudget(double share) {
		require(share >= 0 && share <= 1, "retry.budget", share, "0 (none) to 1");
		return copy((changed) -> changed.budget = share);
	}

	/**
	 * Returns the maximum of attempts.
	 * @return 1 to 10
	 */
	public int maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Returns the bound of the first pause.
	 * @return more than 0
	 */
	public Duration minBackoff() {
		return this.minBackoff;
	}

	/**
	 * Returns the bound of all pauses.
	 * @return the bound of the first pause or more
	 */
	public Duration maxBackoff() {
		return this.maxBackoff;
	}

	/**
	 * Returns the statuses after which a call is retried.
	 * @return some of the allowed statuses
	 */
	public Set<RpcStatus> statuses() {
		return this.statuses;
	}

	/**
	 * Returns the retries in relation to the successful calls.
	 * @return 0 to 1
	 */
	public double budget() {
		return this.budget;
	}

}
