package io.rpcboot.internal.server.scheduling;

import org.jspecify.annotations.Nullable;

/**
 * How much of a server a single service may have: all if it is the only one, else three
 * quarters, so that one that hangs leaves room for the others.
 *
 * @param isShared whether threads are counted: there is more than one service, or one has
 * a limit
 * @param threads most threads of the pool
 * @param plenty calls in flight up to which nothing is counted for a single service: half
 * of all if it is not the only one
 * @param crowd most calls of one service that came while more than those were in flight
 */
public record Bulkhead(boolean isShared, int threads, int countingThreshold, int crowd) {

	/**
	 * The share of each service.
	 * @param isLimited whether one of them has a limit of threads
	 */
	public static Bulkhead of(int services, boolean isLimited, int maxThreads, int maxCalls) {
		return (services > 1) ? new Bulkhead(true, Math.max(1, maxThreads - (maxThreads + 3) / 4), maxCalls / 2,
				Math.max(1, maxCalls / 4)) : new Bulkhead(isLimited, maxThreads, maxCalls, maxCalls);
	}

	/** The share of a service that has a limit of its own, null for none. */
	public Bulkhead limitedTo(@Nullable Integer maxThreads) {
		return (maxThreads == null || maxThreads >= this.threads) ? this
				: new Bulkhead(this.isShared, maxThreads, this.countingThreshold, this.crowd);
	}

}
