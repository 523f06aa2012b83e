package io.rpcboot.server;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Snapshot of the worker pool of a server.
 *
 * @param maxThreads maximum number of threads
 * @param busy threads that run a call
 * @param waiting calls that wait for a thread
 * @param usedUp last time that all threads were in use for a second or longer while calls
 * waited, recorded at most once a minute; null if that never happened
 * @since 0.1.0
 */
public record PoolInfo(int maxThreads, int busy, int waiting, @Nullable Exhaustion usedUp) {

	/**
	 * Exhaustion of the pool.
	 *
	 * @param at time of the exhaustion
	 * @param waiting calls that waited for a thread
	 * @param holders methods that held most threads, five at most
	 */
	public record Exhaustion(Instant at, int waiting, List<Holder> holders) {
	}

	/**
	 * Method that held threads.
	 *
	 * @param method service and signature
	 * @param threads threads that ran the method
	 * @param stuck threads that had run the same call for a second or longer
	 * @param stack stack of one of these threads, from the top
	 */
	public record Holder(String method, int threads, int stuck, List<String> stack) {
	}

}
