package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.streams.Direction;
import io.rpcboot.benchmarks.streams.StreamSystem;

/**
 * Streams that are compared, and for how long.
 *
 * @param systems their names
 * @param directions who sends
 * @param streams numbers of streams that are open at the same time
 * @param sizes sizes of an element in bytes
 * @param forks pairs of processes of each system, one after the other
 * @param rounds turns of each system in each cell and fork
 * @param sliceMillis about how long a turn takes
 * @param preparationMillis how long each system works in each cell before all of them are
 * measured
 */
record StreamsOptions(List<String> systems, List<Direction> directions, List<Integer> streams, List<Integer> sizes,
		int forks, int rounds, int sliceMillis, int preparationMillis) {

	static final StreamsOptions DEFAULT = new StreamsOptions(
			StreamSystem.all().stream().map(StreamSystem::name).toList(), List.of(Direction.values()), List.of(1, 100),
			List.of(100, 4096), 2, 3, 500, 1_000);

	/** Work of each system in a cell before its first round there. */
	static final Duration WARMUP = Duration.ofMillis(300);

	/** Two processes start. */
	private static final Duration START = Duration.ofSeconds(5);

	/** A turn of a file, which is counted in bytes and not in time. */
	private static final Duration FILE = Duration.ofSeconds(2);

	List<StreamCell> cells() {
		List<StreamCell> cells = new ArrayList<>();
		for (Direction direction : this.directions) {
			if (direction == Direction.BYTES) {
				cells.add(StreamCell.FILE);
				continue;
			}
			for (int bytes : this.sizes) {
				this.streams.forEach((count) -> cells.add(new StreamCell(direction, count, bytes)));
			}
		}
		return cells;
	}

	Duration preparation() {
		return Duration.ofMillis(this.preparationMillis);
	}

	/** About how long all of it takes. */
	Duration estimate() {
		Duration all = START.multipliedBy(this.systems.size());
		for (StreamCell cell : cells()) {
			long count = this.systems.stream()
				.map(StreamSystem::of)
				.filter((each) -> each.supports(cell.direction()))
				.count();
			Duration turn = (cell.direction() == Direction.BYTES) ? FILE : Duration.ofMillis(this.sliceMillis);
			all = all.plus(preparation().plus(WARMUP).plus(turn.multipliedBy(this.rounds)).multipliedBy(count));
		}
		return all.multipliedBy(this.forks);
	}

}
