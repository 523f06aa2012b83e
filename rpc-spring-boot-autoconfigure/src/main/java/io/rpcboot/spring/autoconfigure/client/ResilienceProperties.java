package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;
import java.util.Set;

import io.rpcboot.RpcStatus;
import io.rpcboot.resilience.EjectionOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/** How calls get along with their instances: of the client, and of single references. */
public final class ResilienceProperties {

	private ResilienceProperties() {
	}

	/**
	 * Which of the instances that are well a call goes to.
	 *
	 * @param zone Where the client runs; instances of the same zone are preferred while
	 * they have at least half of the weight that a zone has on the average. Unless set,
	 * that of rpc.server.zone; empty for no preference.
	 * @param tag Tag of the calls that bring none as attachment route-tag: they go to
	 * instances with that tag. Empty for instances without one.
	 * @param strict Whether a call fails whose tag no instance has; if not, it goes to
	 * instances without a tag.
	 * @param slowStart How long an instance that has just started gets less than its
	 * weight, a tenth of it at first; 0 for no slow start.
	 */
	public record Routing(@Nullable String zone, @DefaultValue("") String tag, @DefaultValue("false") boolean strict,
			@DefaultValue("30s") Duration slowStart) {

		public RoutingOptions toOptions(String serverZone) {
			return zoned(serverZone).withTag(this.tag).withStrict(this.strict).withSlowStart(this.slowStart);
		}

		private RoutingOptions zoned(String serverZone) {
			RoutingOptions defaults = RoutingOptions.defaults();
			if (this.zone != null) {
				return defaults.withZone(this.zone);
			}
			try {
				return defaults.withZone(serverZone);
			}
			catch (InvalidOptionException ex) {
				throw new InvalidPropertyException(ex, "rpc.server.zone");
			}
		}

	}

	/**
	 * When an instance leaves the choice because its calls go worse than those of others.
	 *
	 * @param enabled Whether an instance leaves the choice whose calls fail, hang or are
	 * slow while those of other instances do not.
	 * @param failuresInARow How many calls of one method must fail one after the other,
	 * while they do not elsewhere; 2 or more. A rate of failures that is clearly higher
	 * than elsewhere counts, too.
	 * @param slowness How many times slower than elsewhere a typical call must be, more
	 * than 1.
	 * @param leastSlowness How much longer than elsewhere a typical call must take, too.
	 * @param mostPercent How many of the instances may be out at once, 1 to 100; one may
	 * always be, and never the last.
	 * @param minPause Shortest time for which an instance stays out before calls are
	 * tried there.
	 * @param maxPause Longest time for which an instance stays out before calls are tried
	 * there; in between it is a third of the time for which it has been sick.
	 */
	public record Ejection(@DefaultValue("true") boolean enabled, @DefaultValue("5") int failuresInARow,
			@DefaultValue("3") double slowness, @DefaultValue("10ms") Duration leastSlowness,
			@DefaultValue("30") int mostPercent, @DefaultValue("1s") Duration minPause,
			@DefaultValue("30s") Duration maxPause) {

		public EjectionOptions toOptions() {
			return EjectionOptions.defaults()
				.withEnabled(this.enabled)
				.withFailuresInARow(this.failuresInARow)
				.withSlowness(this.slowness, this.leastSlowness)
				.withMostPercent(this.mostPercent)
				.withPauses(this.minPause, this.maxPause);
		}

	}

	/**
	 * Which calls of idempotent methods are made once more when they fail and may have
	 * run.
	 *
	 * @param maxAttempts How often a call is made at most, the first time included; 1
	 * (never again) to 10.
	 * @param minBackoff Longest pause before the second attempt; each further one may be
	 * twice as long. Pauses are at random, and there is none before the second attempt
	 * where another instance is ready.
	 * @param maxBackoff Longest pause of all.
	 * @param statuses After which statuses a call is made once more: some of unavailable,
	 * application, internal, resource-exhausted and deadline-exceeded.
	 * @param budget How many calls a reference may make once more, as a share of those of
	 * its idempotent methods that succeed, 0 (none) to 1; beside it 5 are free.
	 */
	public record Retry(@DefaultValue("3") int maxAttempts, @DefaultValue("10ms") Duration minBackoff,
			@DefaultValue("250ms") Duration maxBackoff, @DefaultValue( {
					"unavailable", "application" }) Set<RpcStatus> statuses,
			@DefaultValue("0.2") double budget){

		public RetryOptions toOptions() {
			return RetryOptions.defaults()
				.withMaxAttempts(this.maxAttempts)
				.withBackoff(this.minBackoff, this.maxBackoff)
				.withStatuses(this.statuses)
				.withBudget(this.budget);
		}

	}

	/**
	 * What a reference has of its own, over what was said before.
	 * @param settings of the reference; at least one of them is set
	 * @param before of the client, or of all references to the service
	 * @return changed options
	 */
	static ResilienceOptions over(ReferenceSettings settings, ResilienceOptions before) {
		ResilienceOptions result = before;
		if (settings.routing() != null) {
			result = result.withRouting(settings.routing().over(before.routing()));
		}
		if (settings.ejection() != null) {
			result = result.withEjection(settings.ejection().over(before.ejection()));
		}
		return (settings.retry() != null) ? result.withRetry(settings.retry().over(before.retry())) : result;
	}

	/**
	 * Where the calls of one reference go.
	 *
	 * @param tag Tag of the calls that bring none.
	 * @param strict Whether a call fails whose tag no instance has.
	 */
	record ReferenceRouting(@Nullable String tag, @Nullable Boolean strict) {

		RoutingOptions over(RoutingOptions before) {
			RoutingOptions result = (this.tag != null) ? before.withTag(this.tag) : before;
			return (this.strict != null) ? result.withStrict(this.strict) : result;
		}

	}

	/**
	 * When an instance leaves the choice of one reference.
	 *
	 * @param enabled Whether one does.
	 */
	record ReferenceEjection(@Nullable Boolean enabled) {

		EjectionOptions over(EjectionOptions before) {
			return (this.enabled != null) ? before.withEnabled(this.enabled) : before;
		}

	}

	/**
	 * Which calls of one reference are made once more.
	 *
	 * @param maxAttempts How often a call is made at most, the first time included.
	 * @param budget How many of its calls of idempotent methods may be made once more.
	 */
	record ReferenceRetry(@Nullable Integer maxAttempts, @Nullable Double budget) {

		RetryOptions over(RetryOptions before) {
			RetryOptions result = (this.maxAttempts != null) ? before.withMaxAttempts(this.maxAttempts) : before;
			return (this.budget != null) ? result.withBudget(this.budget) : result;
		}

	}

}
