package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.transport.Options;

/**
 * Options of hedging: a call of an idempotent method without a reply is also sent to a
 * second instance. The caller gets the first reply, and the other call is cancelled.
 * Hedges share the budget of {@linkplain RetryOptions retries}. Immutable. <pre>{@code
 * ResilienceOptions.defaults()
 *     .withHedging("getUser", HedgingOptions.defaults().withDelay(Duration.ofMillis(20)))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class HedgingOptions extends Options {

	private static final HedgingOptions DEFAULTS = new HedgingOptions();

	private Duration delay = Duration.ZERO;

	private double quantile = 0.95;

	private HedgingOptions() {
	}

	/**
	 * Returns the defaults: a hedge after the 95th percentile of recent calls, so one
	 * call in twenty is sent twice.
	 * @return the defaults
	 */
	public static HedgingOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with a fixed delay. {@link ResilienceOptions#withHedging} checks it.
	 * @param delay 1 ms or more; 0 for the quantile of recent calls
	 * @return a copy
	 */
	public HedgingOptions withDelay(Duration delay) {
		return copy((changed) -> changed.delay = delay);
	}

	/**
	 * Returns a copy with another quantile of recent calls as delay. There are no hedges
	 * until 100 calls are known.
	 * @param quantile 0.5 to 0.999
	 * @return a copy
	 * @throws InvalidOptionException if it is out of range
	 */
	public HedgingOptions withQuantile(double quantile) {
		require(quantile >= 0.5 && quantile <= 0.999, "hedging.quantile", quantile, "0.5 to 0.999");
		return copy((changed) -> changed.quantile = quantile);
	}

	/**
	 * Returns the delay of the hedge.
	 * @return 0 for the quantile of recent calls
	 */
	public Duration delay() {
		return this.delay;
	}

	/**
	 * Returns the quantile of recent calls after which the hedge is sent.
	 * @return 0.5 to 0.999
	 */
	public double quantile() {
		return this.quantile;
	}

}
