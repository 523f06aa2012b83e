package io.rpcboot.server;

import java.time.Duration;

/**
 * Result of a graceful shutdown.
 *
 * @param drainedCalls calls that were in flight and ended within the grace period
 * @param cutCalls calls that were in flight at the end of the grace period
 * @param took duration of the shutdown
 * @since 0.1.0
 */
public record ShutdownReport(int drainedCalls, int cutCalls, Duration took) {
}
