package io.rpcboot.metrics.micrometer;

import io.micrometer.core.instrument.Tags;

import io.rpcboot.metrics.RpcMetrics.Level;

/**
 * The meter that shows a level.
 *
 * @param meter the meter; if it has a tag {@code service}, that is the subject
 * @param tags what tells levels of one meter apart
 */
record LevelMeter(RpcMeters meter, Tags tags) {

	private static final double NANOS_PER_SECOND = 1e9;

	static LevelMeter of(Level level) {
		return switch (level) {
			case PENDING -> of(RpcMeters.CLIENT_PENDING);
			case QUEUED -> of(RpcMeters.CLIENT_QUEUED);
			case HELD -> of(RpcMeters.CLIENT_HELD);
			case LOST_CALLS -> of(RpcMeters.CLIENT_LOST_CALLS);
			case IN_FLIGHT -> of(RpcMeters.SERVER_IN_FLIGHT);
			case GRANTED_CALLS -> of(RpcMeters.SERVER_GRANTED_CALLS);
			case GRANTED_BYTES -> of(RpcMeters.SERVER_GRANTED_BYTES);
			case CLIENT_MEMORY_INCOMING -> of(RpcMeters.CLIENT_MEMORY_USED, RpcMeters.TAG_DIRECTION, "incoming");
			case CLIENT_MEMORY_OUTGOING -> of(RpcMeters.CLIENT_MEMORY_USED, RpcMeters.TAG_DIRECTION, "outgoing");
			case CLIENT_MEMORY_LIMIT -> of(RpcMeters.CLIENT_MEMORY_LIMIT);
			case SERVER_MEMORY_INCOMING -> of(RpcMeters.SERVER_MEMORY_USED, RpcMeters.TAG_DIRECTION, "incoming");
			case SERVER_MEMORY_OUTGOING -> of(RpcMeters.SERVER_MEMORY_USED, RpcMeters.TAG_DIRECTION, "outgoing");
			case SERVER_MEMORY_LIMIT -> of(RpcMeters.SERVER_MEMORY_LIMIT);
			case DROPPED_RESULTS -> of(RpcMeters.SERVER_DROPPED_RESULTS);
			case DROPPED_CALLS -> of(RpcMeters.SERVER_DROPPED_CALLS);
			case POOL_BUSY -> of(RpcMeters.SERVER_POOL_BUSY);
			case POOL_WAITING -> of(RpcMeters.SERVER_POOL_WAITING);
		};
	}

	private static LevelMeter of(RpcMeters meter, String... tags) {
		return new LevelMeter(meter, Tags.of(tags));
	}

	/** All tags of a level that is about something. */
	Tags tags(String subject) {
		return this.meter.tags().contains(RpcMeters.TAG_SERVICE) ? this.tags.and(RpcMeters.TAG_SERVICE, subject)
				: this.tags;
	}

	/** Levels are whole numbers, so those of time are in nanoseconds. */
	double scale() {
		return "seconds".equals(this.meter.baseUnit()) ? 1 / NANOS_PER_SECOND : 1;
	}

}
