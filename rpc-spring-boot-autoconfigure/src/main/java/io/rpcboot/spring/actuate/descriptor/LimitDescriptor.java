package io.rpcboot.spring.actuate.descriptor;

import java.time.Instant;
import java.util.List;

import io.rpcboot.Side;
import io.rpcboot.transport.LimitInfo;
import org.jspecify.annotations.Nullable;

/**
 * A limit that adapts to the load.
 *
 * @param side {@code client} or {@code server}
 * @param name {@code pending-calls} or {@code threads}
 * @param of the service or method, empty for all
 * @param limit the current limit; null while nothing is held back
 * @param most the highest limit that the options allow
 * @param used number in use
 * @param signal measured values that move the limit; empty if there are none yet
 * @param reason why the limit last moved, empty if it never did
 * @param movedAt when that was, in milliseconds since 1970; null if it never moved
 * @since 0.1.0
 */
public record LimitDescriptor(String side, String name, String of, @Nullable Long limit, long most, long used,
		String signal, String reason, @Nullable Long movedAt) {

	public static LimitDescriptor of(Side side, LimitInfo limit) {
		Instant moved = limit.movedAt();
		return new LimitDescriptor(MethodStatsDescriptor.name(side), limit.name(), limit.of(), limit.limit(),
				limit.most(), limit.used(), limit.signal(), limit.reason(),
				(moved != null) ? moved.toEpochMilli() : null);
	}

	/**
	 * The list of limits.
	 *
	 * @param limits those that moved last first, at most 500
	 * @param leftOut number of omitted limits
	 */
	public record All(List<LimitDescriptor> limits, int leftOut) {
	}

}
