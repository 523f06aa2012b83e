package io.rpcboot.resilience;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

import io.rpcboot.RpcStatus;
import io.rpcboot.transport.Options;

/**
 * Which calls are made once more when they fail and may have run: those of methods that
 * are {@linkplain io.rpcboot.RpcMethod#idempotent() idempotent}, and no others. A call
 * that did not run needs none of this: it goes elsewhere by itself. Immutable.
 */
public final class RetryOptions extends Options {

	private static final RetryOptions DEFAULTS = new RetryOptions();

	private static final int MOST_ATTEMPTS = 10;

	private static final Set<RpcStatus> ALLOWED = Set.copyOf(EnumSet.of(RpcStatus.UNAVAILABLE, RpcStatus.APPLICATION,
			RpcStatus.INTERNAL, RpcStatus.RESOURCE_EXHAUSTED, RpcStatus.DEADLINE_EXCEEDED));

	private int maxAttempts = 3;

	private Duration minBackoff = Duration.ofMillis(10);

	private Duration maxBackoff = Duration.ofMillis(250);

	private Set<RpcStatus> statuses = Set.of(RpcStatus.UNAVAILABLE, RpcStatus.APPLICATION);

	private double budget = 0.2;

	private RetryOptions() {
	}

	/**
	 * The defaults:
	 * <ul>
	 * <li>3 attempts, the first one included;
	 * <li>a pause of at most 10 ms before the second, at random, and of at most 20 ms
	 * before the third; none before the second where another instance is ready;
	 * <li>after UNAVAILABLE (the connection was lost) and APPLICATION (the implementation
	 * threw what its interface does not declare);
	 * <li>a budget of 20 %, as Finagle has, of the calls that succeed: what fails
	 * everywhere gets no more calls at all.
	 * </ul>
	 * @return the defaults
	 */
	public static RetryOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change how often a call is made at most.
	 * @param attempts 1 (never again) to 10, the first one included
	 * @return changed options
	 */
	public RetryOptions withMaxAttempts(int attempts) {
		require(attempts >= 1 && attempts <= MOST_ATTEMPTS, "retry.max-attempts", attempts,
				"1 (never again) to " + MOST_ATTEMPTS);
		return copy((changed) -> changed.maxAttempts = attempts);
	}

	/**
	 * Change the longest pauses. Each is between 0 and a bound, at random, so that calls
	 * that failed together do not come back together; the bound doubles each time.
	 * @param min the first bound, more than 0
	 * @param max the largest bound, as long or longer
	 * @return changed options
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
	 * Change after which statuses a call is made once more.
	 * @param statuses some of UNAVAILABLE, APPLICATION, INTERNAL, RESOURCE_EXHAUSTED and
	 * DEADLINE_EXCEEDED (of a call that the server made in turn: a deadline of its own
	 * leaves no time)
	 * @return changed options
	 */
	public RetryOptions withStatuses(Collection<RpcStatus> statuses) {
		for (RpcStatus status : statuses) {
			require(ALLOWED.contains(status), "retry.statuses", status,
					"unavailable, application, internal, resource-exhausted or deadline-exceeded");
		}
		return copy((changed) -> changed.statuses = Set.copyOf(statuses));
	}

	/**
	 * Change how many calls may be made once more.
	 * @param share of those calls of the reference's idempotent methods that succeed; 0
	 * (none) to 1. What five seconds earn can be saved; beside it 5 calls are free
	 * @return changed options
	 */
	public RetryOptions withBudget(double share) {
		require(share >= 0 && share <= 1, "retry.budget", share, "0 (none) to 1");
		return copy((changed) -> changed.budget = share);
	}

	/**
	 * How often a call is made at most.
	 * @return 1 to 10
	 */
	public int maxAttempts() {
		return this.maxAttempts;
	}

	/**
	 * Bound of the first pause.
	 * @return more than 0
	 */
	public Duration minBackoff() {
		return this.minBackoff;
	}

	/**
	 * Bound of all pauses.
	 * @return at least that of the first
	 */
	public Duration maxBackoff() {
		return this.maxBackoff;
	}

	/**
	 * After which statuses a call is made once more.
	 * @return some of those that are allowed
	 */
	public Set<RpcStatus> statuses() {
		return this.statuses;
	}

	/**
	 * Share of the calls that may be made once more.
	 * @return 0 to 1
	 */
	public double budget() {
		return this.budget;
	}

}
