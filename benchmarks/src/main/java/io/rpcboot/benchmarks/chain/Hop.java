package io.rpcboot.benchmarks.chain;

import java.util.List;

/**
 * One process of a chain. Times are those of {@code System.nanoTime()} of the machine.
 */
public interface Hop {

	/**
	 * Wait, then call the next process; the last one waits until nobody waits for it.
	 * @param chain number of the chain
	 * @param pausesMillis how long to wait first, for each process
	 */
	String pass(int chain, List<Integer> pausesMillis);

	/** What was seen so far. */
	Report report();

	/**
	 * An execution.
	 *
	 * @param chain number of the chain
	 * @param startNanos when it began
	 * @param toldNanos when its listener was told that nobody waits, 0 for never
	 * @param askedNanos when it asked and was told so, 0 for never
	 * @param endNanos when it ended, 0 for not yet
	 */
	record Execution(int chain, long startNanos, long toldNanos, long askedNanos, long endNanos) {
	}

	/**
	 * A time in which a thread that wanted to run for once in a millisecond did not.
	 *
	 * @param endNanos when it ended
	 * @param nanos how long it was
	 */
	record Hiccup(long endNanos, long nanos) {
	}

	/**
	 * What a process has seen.
	 *
	 * @param executions in their order
	 * @param hiccups in their order
	 */
	record Report(List<Execution> executions, List<Hiccup> hiccups) {
	}

}
