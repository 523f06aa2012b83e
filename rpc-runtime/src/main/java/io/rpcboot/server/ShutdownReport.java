package io.rpcboot.server;

import java.time.Duration;

/**
 * How a graceful shutdown went.
 *
 * @param drainedCalls calls that were in flight and got their answer
 * @param cutCalls calls that were still in flight when the grace period ended
 * @param took how long it took
 */
public record ShutdownReport(int drainedCalls, int cutCalls, Duration took) {
}
