package io.rpcboot.resilience;

import java.time.Duration;
import java.util.Map;

import io.rpcboot.transport.Options;

/**
 * Options for the choice of an instance, retries and hedging. Immutable. <pre>{@code
 * ResilienceOptions options = ResilienceOptions.defaults()
 *     .withRouting(RoutingOptions.defaults().withZone("eu-1"))
 *     .withRetry(RetryOptions.defaults().withMaxAttempts(2));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ResilienceOptions extends Options {

	private static final ResilienceOptions DEFAULTS = new ResilienceOptions();

	private RoutingOptions routing = RoutingOptions.defaults();

	private EjectionOptions ejection = EjectionOptions.defaults();

	private RetryOptions retry = RetryOptions.defaults();

	/** Options by method name; overloads share them. */
	private Map<String, HedgingOptions> hedging = Map.of();

	private ResilienceOptions() {
	}

	/**
	 * Returns the defaults of each part.
	 * @return the defaults
	 */
	public static ResilienceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with other options of routing.
	 * @param routing the options
	 * @return a copy
	 */
	public ResilienceOptions withRouting(RoutingOptions routing) {
		return copy((changed) -> changed.routing = routing);
	}

	/**
	 * Returns a copy with other options of outlier ejection.
	 * @param ejection the options
	 * @return a copy
	 */
	public ResilienceOptions withEjection(EjectionOptions ejection) {
		return copy((changed) -> changed.ejection = ejection);
	}

	/**
	 * Returns a copy with other options of retries.
	 * @param retry the options
	 * @return a copy
	 */
	public ResilienceOptions withRetry(RetryOptions retry) {
		return copy((changed) -> changed.retry = retry);
	}

	/**
	 * Returns a copy with hedging of one method.
	 * @param method name of an idempotent method; overloads share the options
	 * @param hedging the options
	 * @return a copy
	 * @throws InvalidOptionException if the delay is above 0 and below 1 ms
	 */
	public ResilienceOptions withHedging(String method, HedgingOptions hedging) {
		Duration delay = hedging.delay();
		require(delay.isZero() || delay.compareTo(Duration.ofMillis(1)) >= 0,
				"methods.%s.hedge-after".formatted(method), delay, "1ms or more, or 0 (by recent calls)");
		return copy((changed) -> changed.hedging = with(this.hedging, method, hedging));
	}

	/**
	 * Returns the options of routing.
	 * @return the options
	 */
	public RoutingOptions routing() {
		return this.routing;
	}

	/**
	 * Returns the options of outlier ejection.
	 * @return the options
	 */
	public EjectionOptions ejection() {
		return this.ejection;
	}

	/**
	 * Returns the options of retries.
	 * @return the options
	 */
	public RetryOptions retry() {
		return this.retry;
	}

	/**
	 * Returns the options of hedging.
	 * @return options by method name, empty for no hedging
	 */
	public Map<String, HedgingOptions> hedging() {
		return this.hedging;
	}

}
