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

/**
 * Properties of routing, ejection and retries: of the client, and of single references.
 *
 * @since 0.1.0
 */
public final class ResilienceProperties {

	private ResilienceProperties() {
	}

	/**
	 * Properties of routing: the choice among healthy instances.
	 *
	 * @param zone Zone of the client. Instances of the same zone are preferred while they
	 * have at least half of the average weight of a zone. Unset: rpc.server.zone; empty
	 * for no preference.
	 * @param tag Tag of calls without the attachment route-tag: they go to instances with
	 * this tag. Empty for instances without a tag.
	 * @param strict Whether a call fails if no instance has its tag; if not, it goes to
	 * instances without a tag.
	 * @param slowStart Time in which the weight of a new instance rises, from a tenth to
	 * all of it; 0 for no slow start.
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
	 * Properties of ejection: outlier detection among the instances of a service.
	 *
	 * @param enabled Whether to eject an instance whose calls fail, hang or are slow
	 * while those of other instances do not.
	 * @param failuresInARow Consecutive failures of one method that eject an instance if
	 * the method does not fail elsewhere; 2 or more. A failure rate clearly above that of
	 * other instances ejects, too.
	 * @param slowness Factor over the typical latency of other instances, more than 1.
	 * @param leastSlowness Least difference to the typical latency of other instances,
	 * required in addition to the factor.
	 * @param mostPercent Most ejected instances in percent, 1 to 100; one is always
	 * allowed, and the last instance is never ejected.
	 * @param minPause Shortest time before an ejected instance is probed with calls.
	 * @param maxPause Longest time before an ejected instance is probed with calls; in
	 * between, a third of the time for which it has been unhealthy.
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
	 * Properties of retries: failed calls of idempotent methods that may have run.
	 *
	 * @param maxAttempts Most attempts of a call, including the first; 1 (no retry) to
	 * 10.
	 * @param minBackoff Longest pause before the second attempt; it doubles with each
	 * further attempt. Pauses are random. The second attempt has no pause if another
	 * instance is ready.
	 * @param maxBackoff Upper limit of all pauses.
	 * @param statuses Statuses to retry: some of unavailable, application, internal,
	 * resource-exhausted, deadline-exceeded, unknown and aborted.
	 * @param budget Retries of a reference as a fraction of successful calls of its
	 * idempotent methods, 0 (none) to 1; 5 more are always allowed.
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
	 * Returns options with the settings of a reference.
	 * @param settings settings of the reference; at least one is set
	 * @param before options of the client, or of all references to the service
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
	 * Routing of one reference.
	 *
	 * @param tag Tag of calls without the attachment route-tag.
	 * @param strict Whether a call fails if no instance has its tag.
	 */
	public record ReferenceRouting(@Nullable String tag, @Nullable Boolean strict) {

		RoutingOptions over(RoutingOptions before) {
			RoutingOptions result = (this.tag != null) ? before.withTag(this.tag) : before;
			return (this.strict != null) ? result.withStrict(this.strict) : result;
		}

	}

	/**
	 * Ejection of one reference.
	 *
	 * @param enabled Whether to eject instances.
	 */
	public record ReferenceEjection(@Nullable Boolean enabled) {

		EjectionOptions over(EjectionOptions before) {
			return (this.enabled != null) ? before.withEnabled(this.enabled) : before;
		}

	}

	/**
	 * Retries of one reference.
	 *
	 * @param maxAttempts Most attempts of a call, including the first.
	 * @param budget Retries as a fraction of successful calls of idempotent methods.
	 */
	public record ReferenceRetry(@Nullable Integer maxAttempts, @Nullable Double budget) {

		RetryOptions over(RetryOptions before) {
			RetryOptions result = (this.maxAttempts != null) ? before.withMaxAttempts(this.maxAttempts) : before;
			return (this.budget != null) ? result.withBudget(this.budget) : result;
		}

	}

}
