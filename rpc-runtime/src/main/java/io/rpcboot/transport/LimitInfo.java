package io.rpcboot.transport;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a limit that adapts to the load, for operators and dashboards.
 *
 * @param name what is limited: {@code pending-calls} of a client, {@code threads} of a
 * service or method
 * @param of the service or method, empty for all
 * @param limit the current limit; null while nothing is held back
 * @param most the highest limit that the options allow
 * @param used number in use
 * @param signal measured values that move the limit; empty if there are none
 * @param reason why the limit last moved, empty if it never did
 * @param movedAt when that was, null if it never moved
 * @since 0.1.0
 */
public record LimitInfo(String name, String of, @Nullable Long limit, long most, long used, String signal,
		String reason, @Nullable Instant movedAt) {
}
