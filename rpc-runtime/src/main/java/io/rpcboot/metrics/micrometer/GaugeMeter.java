package io.rpcboot.metrics.micrometer;

import java.util.List;
import java.util.Locale;

import io.micrometer.core.instrument.Tags;
import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Meter that shows a gauge.
 *
 * @param meter the meter; one of its tags may have the subject
 * @param tags tags that distinguish gauges of one meter
 */
record GaugeMeter(RpcMeters meter, Tags tags) {

	private static final double NANOS_PER_SECOND = 1e9;

	private static final double NANOS_PER_DAY = 86_400e9;

	/** Tags that have the subject of a gauge. */
	private static final List<String> SUBJECTS = List.of(RpcMeters.TAG_SERVICE, RpcMeters.TAG_BUNDLE,
			RpcMeters.TAG_CLIENT);

	static GaugeMeter of(Gauge level) {
		return switch (level) {
			case PENDING -> of(RpcMeters.CLIENT_PENDING);
			case QUEUED -> of(RpcMeters.CLIENT_QUEUED);
			case HELD -> of(RpcMeters.CLIENT_HELD);
			case LOST_CALLS -> of(RpcMeters.CLIENT_LOST_CALLS);
			case IN_FLIGHT -> of(RpcMeters.SERVER_IN_FLIGHT);
			case CLIENT_STREAMS -> of(RpcMeters.CLIENT_STREAMS);
			case STREAMS -> of(RpcMeters.SERVER_STREAMS);
			case GRANTED_CALLS -> of(RpcMeters.SERVER_GRANTED_CALLS);
			case GRANTED_BYTES -> of(RpcMeters.SERVER_GRANTED_BYTES);
			case CLIENT_MEMORY_INCOMING -> of(RpcMeters.CLIENT_MEMORY_USED, RpcMeters.TAG_DIRECTION, "incoming");
			case CLIENT_MEMORY_OUTGOING -> of(RpcMeters.CLIENT_MEMORY_USED, RpcMeters.TAG_DIRECTION, "outgoing");
			case CLIENT_MEMORY_LIMIT -> of(RpcMeters.CLIENT_MEMORY_LIMIT);
			case CLIENT_MEMORY_WAITING -> of(RpcMeters.CLIENT_MEMORY_WAITING);
			case RESENT_REFUSED -> of(RpcMeters.CLIENT_RESENT, RpcMeters.TAG_REASON, "refused");
			case RESENT_GO_AWAY -> of(RpcMeters.CLIENT_RESENT, RpcMeters.TAG_REASON, "go_away");
			case RESENT_HEDGED -> of(RpcMeters.CLIENT_RESENT, RpcMeters.TAG_REASON, "hedged");
			case RESENT_FAILED -> of(RpcMeters.CLIENT_RESENT, RpcMeters.TAG_REASON, "failed");
			case RETRIES_DENIED -> of(RpcMeters.CLIENT_RETRIES_DENIED);
			case RETRIES_LEFT -> of(RpcMeters.CLIENT_RETRIES_LEFT);
			case RESENT_DISCONNECTED -> of(RpcMeters.CLIENT_RESENT, RpcMeters.TAG_REASON, "disconnected");
			case CLIENT_EXPIRED -> of(RpcMeters.CLIENT_EXPIRED);
			case CLIENT_CANCELLED -> of(RpcMeters.CLIENT_CANCELLED);
			case CLIENT_CONTRACTS_REFUSED -> of(RpcMeters.CLIENT_CONTRACTS_REFUSED);
			case CALLBACK_THREADS -> of(RpcMeters.CLIENT_CALLBACK_THREADS);
			case CALLBACKS_BUSY -> of(RpcMeters.CLIENT_CALLBACKS_BUSY);
			case CALLBACKS_WAITING -> of(RpcMeters.CLIENT_CALLBACKS_WAITING);
			case INSTANCES_CONNECTING, INSTANCES_READY, INSTANCES_EJECTED, INSTANCES_FROZEN, INSTANCES_DRAINING,
					INSTANCES_BACKING_OFF, INSTANCES_INCOMPATIBLE ->
				of(RpcMeters.CLIENT_INSTANCES, RpcMeters.TAG_STATE, state(level, "INSTANCES_"));
			case SERVER_MEMORY_INCOMING -> of(RpcMeters.SERVER_MEMORY_USED, RpcMeters.TAG_DIRECTION, "incoming");
			case SERVER_MEMORY_OUTGOING -> of(RpcMeters.SERVER_MEMORY_USED, RpcMeters.TAG_DIRECTION, "outgoing");
			case SERVER_MEMORY_LIMIT -> of(RpcMeters.SERVER_MEMORY_LIMIT);
			case SERVER_MEMORY_WAITING -> of(RpcMeters.SERVER_MEMORY_WAITING);
			case DROPPED_RESULTS -> of(RpcMeters.SERVER_DROPPED_RESULTS);
			case DROPPED_CALLS -> of(RpcMeters.SERVER_DROPPED_CALLS);
			case POOL_BUSY -> of(RpcMeters.SERVER_POOL_BUSY);
			case POOL_WAITING -> of(RpcMeters.SERVER_POOL_WAITING);
			case POOL_THREADS -> of(RpcMeters.SERVER_POOL_THREADS);
			case SERVER_EXPIRED -> of(RpcMeters.SERVER_EXPIRED);
			case SERVER_CANCELLED -> of(RpcMeters.SERVER_CANCELLED);
			case SERVER_CONTRACTS_REFUSED -> of(RpcMeters.SERVER_CONTRACTS_REFUSED);
			case SERVER_UNAUTHENTICATED -> of(RpcMeters.SERVER_REFUSED, RpcMeters.TAG_STATUS, "UNAUTHENTICATED");
			case SERVER_PERMISSION_DENIED -> of(RpcMeters.SERVER_REFUSED, RpcMeters.TAG_STATUS, "PERMISSION_DENIED");
			case SERVER_ONLINE -> of(RpcMeters.SERVER_ONLINE);
			case AGED_CONNECTIONS -> of(RpcMeters.SERVER_AGED_CONNECTIONS);
			case DRAINED_CALLS -> of(RpcMeters.SERVER_DRAINED_CALLS);
			case CUT_CALLS -> of(RpcMeters.SERVER_CUT_CALLS);
			case CLIENT_CONNECTIONS_OPENING, CLIENT_CONNECTIONS_READY, CLIENT_CONNECTIONS_LEAVING ->
				of(RpcMeters.CLIENT_CONNECTIONS, RpcMeters.TAG_STATE, state(level, "CLIENT_CONNECTIONS_"));
			case CLIENT_GO_AWAYS -> of(RpcMeters.CLIENT_GO_AWAYS);
			case CLIENT_LOOPS -> of(RpcMeters.CLIENT_LOOPS);
			case CLIENT_LOOP_TASKS -> of(RpcMeters.CLIENT_LOOP_TASKS);
			case CLIENT_LOOP_NANOS -> of(RpcMeters.CLIENT_LOOPS_BUSY);
			case CLIENT_ROUNDS_WAITED -> of(RpcMeters.CLIENT_FLUSH_WAITS, RpcMeters.TAG_DECISION, "wait");
			case CLIENT_ROUNDS_PROBED -> of(RpcMeters.CLIENT_FLUSH_WAITS, RpcMeters.TAG_DECISION, "probe");
			case CLIENT_ROUNDS_LEFT_OUT -> of(RpcMeters.CLIENT_FLUSH_WAITS, RpcMeters.TAG_DECISION, "go");
			case SERVER_CONNECTIONS_OPENING, SERVER_CONNECTIONS_READY, SERVER_CONNECTIONS_LEAVING ->
				of(RpcMeters.SERVER_CONNECTIONS, RpcMeters.TAG_STATE, state(level, "SERVER_CONNECTIONS_"));
			case SERVER_GO_AWAYS -> of(RpcMeters.SERVER_GO_AWAYS);
			case SERVER_LOOPS -> of(RpcMeters.SERVER_LOOPS);
			case SERVER_LOOP_TASKS -> of(RpcMeters.SERVER_LOOP_TASKS);
			case SERVER_LOOP_NANOS -> of(RpcMeters.SERVER_LOOPS_BUSY);
			case SERVER_ROUNDS_WAITED -> of(RpcMeters.SERVER_FLUSH_WAITS, RpcMeters.TAG_DECISION, "wait");
			case SERVER_ROUNDS_PROBED -> of(RpcMeters.SERVER_FLUSH_WAITS, RpcMeters.TAG_DECISION, "probe");
			case SERVER_ROUNDS_LEFT_OUT -> of(RpcMeters.SERVER_FLUSH_WAITS, RpcMeters.TAG_DECISION, "go");
			default -> ofBothSides(level);
		};
	}

	/** Returns the meter of a gauge of the process, or of certificates. */
	private static GaugeMeter ofBothSides(Gauge level) {
		return switch (level) {
			case CLEAR_TEXT_CONNECTIONS -> of(RpcMeters.SERVER_CLEAR_TEXT_CONNECTIONS);
			case CLIENT_CERTIFICATE_EXPIRY -> of(RpcMeters.CLIENT_CERTIFICATE_EXPIRY);
			case SERVER_CERTIFICATE_EXPIRY -> of(RpcMeters.SERVER_CERTIFICATE_EXPIRY);
			case REGISTRY_CONNECTED -> of(RpcMeters.REGISTRY_CONNECTED);
			case REGISTRY_OUTAGES -> of(RpcMeters.REGISTRY_OUTAGES);
			case REGISTRY_SNAPSHOT_SERVICES -> of(RpcMeters.REGISTRY_SNAPSHOT_SERVICES);
			case ALLOCATOR_HEAP -> of(RpcMeters.ALLOCATOR_USED, RpcMeters.TAG_MEMORY, "heap");
			case ALLOCATOR_DIRECT -> of(RpcMeters.ALLOCATOR_USED, RpcMeters.TAG_MEMORY, "direct");
			default -> throw new IllegalArgumentException("no meter for " + level);
		};
	}

	private static String state(Gauge level, String prefix) {
		return level.name().substring(prefix.length()).toLowerCase(Locale.ROOT);
	}

	private static GaugeMeter of(RpcMeters meter, String... tags) {
		return new GaugeMeter(meter, Tags.of(tags));
	}

	/** Returns all tags for a subject. */
	Tags tags(String subject) {
		return SUBJECTS.stream()
			.filter(this.meter.tags()::contains)
			.findFirst()
			.map((key) -> this.tags.and(key, subject))
			.orElse(this.tags);
	}

	/**
	 * Returns the factor from the gauge to the meter: times are gauges in nanoseconds.
	 */
	double scale() {
		return isLeast() ? 1 / NANOS_PER_DAY : "seconds".equals(this.meter.baseUnit()) ? 1 / NANOS_PER_SECOND : 1;
	}

	/**
	 * Returns true for a time until something happens: the smallest of several values
	 * counts, not their sum.
	 */
	boolean isLeast() {
		return "days".equals(this.meter.baseUnit());
	}

}
