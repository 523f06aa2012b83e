package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * Servers of JSON that are compared, and for how long.
 *
 * @param systems their names; the first says which bytes all have to answer
 * @param forks processes of each system, one after the other
 * @param rounds turns of each system in each cell and fork
 * @param sliceMillis about how long a turn takes
 * @param preparationMillis how long each system works in each cell before all of them are
 * measured
 */
record JsonOptions(List<String> systems, int forks, int rounds, int sliceMillis, int preparationMillis) {

	static final JsonOptions DEFAULT = new JsonOptions(List.of("ours-http", "ours-http-loop", "webmvc", "netty-http"),
			3, 3, 1_500, 3_000);

	/** Work of each system in a cell before its first round there. */
	static final Duration WARMUP = Duration.ofMillis(500);

	/** A process starts. */
	private static final Duration START = Duration.ofSeconds(4);

	Duration preparation() {
		return Duration.ofMillis(this.preparationMillis);
	}

	/** About how long all of it takes. */
	Duration estimate() {
		Duration cell = preparation().plus(WARMUP).plus(Duration.ofMillis((long) this.rounds * this.sliceMillis));
		return cell.multipliedBy(JsonCell.ALL.size()).plus(START).multipliedBy((long) this.systems.size() * this.forks);
	}

}
