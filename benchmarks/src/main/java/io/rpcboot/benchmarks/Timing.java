package io.rpcboot.benchmarks;

import java.time.Duration;

/**
 * How long things take.
 *
 * @param rounds turns of each system in each scenario
 * @param slice length of a turn
 * @param warmup length of the turn before the first round
 * @param preparation how long each system works before the first scenario
 */
record Timing(int rounds, Duration slice, Duration warmup, Duration preparation) {

	static Timing ofMillis(int rounds, int slice, int warmup, int preparation) {
		return new Timing(rounds, Duration.ofMillis(slice), Duration.ofMillis(warmup), Duration.ofMillis(preparation));
	}

}
