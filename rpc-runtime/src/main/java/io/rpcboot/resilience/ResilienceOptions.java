package io.rpcboot.resilience;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.rpcboot.transport.Options;

/** How calls get along with their instances. Immutable. */
public final class ResilienceOptions extends Options {

	private static final ResilienceOptions DEFAULTS = new ResilienceOptions();

	private RoutingOptions routing = RoutingOptions.defaults();

	private EjectionOptions ejection = EjectionOptions.defaults();

	private RetryOptions retry = RetryOptions.defaults();

	/** By the name of the method; overloads share it. */
	private Map<String, HedgingOptions> hedging = Map.of();

	private ResilienceOptions() {
	}

	/**
	 * The defaults of each part.
	 * @return the defaults
	 */
	public static ResilienceOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Change which of the good instances a call goes to.
	 * @param routing the options
	 * @return changed options
	 */
	public ResilienceOptions withRouting(RoutingOptions routing) {
		return copy((changed) -> changed.routing = routing);
	}

	/**
	 * Change when an instance leaves the choice.
	 * @param ejection the options
	 * @return changed options
	 */
	public ResilienceOptions withEjection(EjectionOptions ejection) {
		return copy((changed) -> changed.ejection = ejection);
	}

	/**
	 * Change which calls are made once more.
	 * @param retry the options
	 * @return changed options
	 */
	public ResilienceOptions withRetry(RetryOptions retry) {
		return copy((changed) -> changed.retry = retry);
	}

	/**
	 * Choose when calls of one method that take long are sent to a second instance, too.
	 * @param method the name of an idempotent method; overloads share it
	 * @param hedging the options
	 * @return changed options
	 */
	public ResilienceOptions withHedging(String method, HedgingOptions hedging) {
		Duration delay = hedging.delay();
		require(delay.isZero() || delay.compareTo(Duration.ofMillis(1)) >= 0,
				"methods.%s.hedge-after".formatted(method), delay, "1ms or more, or 0 (by recent calls)");
		ResilienceOptions changed = copy();
		Map<String, HedgingOptions> all = new HashMap<>(this.hedging);
		all.put(method, hedging);
		changed.hedging = Map.copyOf(all);
		return changed;
	}

	/**
	 * Which of the good instances a call goes to.
	 * @return the options
	 */
	public RoutingOptions routing() {
		return this.routing;
	}

	/**
	 * When an instance leaves the choice.
	 * @return the options
	 */
	public EjectionOptions ejection() {
		return this.ejection;
	}

	/**
	 * Which calls are made once more.
	 * @return the options
	 */
	public RetryOptions retry() {
		return this.retry;
	}

	/**
	 * When calls of single methods are sent to a second instance, too.
	 * @return by the name of the method, empty for none
	 */
	public Map<String, HedgingOptions> hedging() {
		return this.hedging;
	}

}
