package io.rpcboot.internal.server.scheduling;

import io.rpcboot.internal.limit.Shares;
import org.jspecify.annotations.Nullable;

/**
 * Share of the server that one service may use: everything if it is the only service,
 * else its {@link Shares}, so that a service that hangs leaves resources to the others.
 * This is the bulkhead pattern (M. Nygard, "Release It!").
 * <p>
 * Example: two services, 200 threads, 20,000 calls in flight: each service gets at most
 * 150 threads, and 5,000 of the calls that arrive while more than 10,000 are in flight.
 *
 * @param isShared true if threads are counted by service: there are several services, or
 * one has a limit
 * @param threads maximum threads of the service
 * @param countingThreshold calls in flight up to which calls are not counted by service:
 * half of the maximum, or the maximum with one service
 * @param maxOverflow maximum calls of one service among those that arrived above the
 * threshold
 */
public record Bulkhead(boolean isShared, int threads, int countingThreshold, int maxOverflow) {

	/**
	 * Returns the share of each service.
	 * @param isLimited true if a service or method has a limit of threads
	 */
	public static Bulkhead of(int services, boolean isLimited, int maxThreads, int maxCalls) {
		if (services < 2) {
			return new Bulkhead(isLimited, maxThreads, maxCalls, maxCalls);
		}
		int counted = maxCalls / 2;
		return new Bulkhead(true, (int) Shares.most(maxThreads), counted,
				Math.max(1, (int) Shares.most(maxCalls) - counted));
	}

	/** Returns the share of a service with a limit of its own, null for none. */
	public Bulkhead limitedTo(@Nullable Integer maxThreads) {
		return (maxThreads == null || maxThreads >= this.threads) ? this
				: new Bulkhead(this.isShared, maxThreads, this.countingThreshold, this.maxOverflow);
	}

}
