package io.rpcboot.server;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The threads that run calls, as they are used now.
 *
 * @param maxThreads most threads
 * @param busy threads that run a call
 * @param waiting calls that wait for a thread
 * @param usedUp the last time that all were in use for a second or longer while calls
 * waited, looked at once a minute at most; null if that never was
 */
public record PoolInfo(int maxThreads, int busy, int waiting, @Nullable Exhaustion usedUp) {

	/**
	 * A moment at which no thread was free.
	 *
	 * @param at when
	 * @param waiting calls that waited for a thread
	 * @param holders the methods that had most of the threads, five at most
	 */
	public record Exhaustion(Instant at, int waiting, List<Holder> holders) {
	}

	/**
	 * A method that had threads.
	 *
	 * @param method its service and signature
	 * @param threads how many threads ran it
	 * @param stuck how many of them had run the same call for a second or longer
	 * @param stack where one of those stood, from the top
	 */
	public record Holder(String method, int threads, int stuck, List<String> stack) {
	}

}
