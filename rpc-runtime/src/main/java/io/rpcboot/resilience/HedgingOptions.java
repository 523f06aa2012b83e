package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.transport.Options;

/**
 * When a call of an idempotent method that has no answer yet is sent to a second
 * instance, too. The answer that comes first is the caller's, the other call is
 * cancelled. It takes from the same budget as {@linkplain RetryOptions retries}.
 * Immutable.
 */
public final class HedgingOptions extends Options {

	private static final HedgingOptions DEFAULTS = new HedgingOptions();

	private Duration delay = Duration.ZERO;

	private double quantile = 0.95;

	private HedgingOptions() {
	}

	/**
	 * After the time within which 95 % of the recent calls had their answer: one call in
	 * twenty is sent twice.
	 * @return the defaults
	 */
	public static HedgingOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Wait for a fixed time. {@link ResilienceOptions#withHedging} checks it.
	 * @param delay 1 ms or more; 0 for that of recent calls
	 * @return changed options
	 */
	public HedgingOptions withDelay(Duration delay) {
		return copy((changed) -> changed.delay = delay);
	}

	/**
	 * Wait for as long as this part of the recent calls took. Until a hundred of them are
	 * known no call is sent twice.
	 * @param quantile 0.5 to 0.999
	 * @return changed options
	 */
	public HedgingOptions withQuantile(double quantile) {
		require(quantile >= 0.5 && quantile <= 0.999, "hedging.quantile", quantile, "0.5 to 0.999");
		return copy((changed) -> changed.quantile = quantile);
	}

	/**
	 * How long to wait.
	 * @return 0 for the quantile of recent calls
	 */
	public Duration delay() {
		return this.delay;
	}

	/**
	 * The part of the recent calls that had their answer by then.
	 * @return 0.5 to 0.999
	 */
	public double quantile() {
		return this.quantile;
	}

}
