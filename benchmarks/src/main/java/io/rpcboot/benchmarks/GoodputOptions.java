package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Which servers are overloaded, and for how long.
 *
 * @param systems whose servers and clients
 * @param seconds how long each load without limit lasts
 * @param capacities servers of the matrix
 * @param timeoutMillis timeouts of the matrix
 * @param clients numbers of clients of the matrix
 * @param open multiples of the capacity at which calls begin beside the matrix
 */
record GoodputOptions(List<String> systems, int seconds, List<GoodputCell.Capacity> capacities,
		List<Integer> timeoutMillis, List<Integer> clients, List<Integer> open) {

	static final GoodputOptions DEFAULT = new GoodputOptions(List.of("ours", "grpc-pool", "dubbo-default"), 15,
			List.of(GoodputCell.Capacity.SLOW, GoodputCell.Capacity.FAST, GoodputCell.Capacity.NO_OP),
			List.of(300, 3_000), List.of(1, 10), List.of(2, 5, 10));

	/** Processes of a cell start, settle and end. */
	private static final Duration AROUND = Duration.ofSeconds(10);

	private static final Duration LEAST_BLOCKING = Duration.ofSeconds(2);

	private static final Duration LEAST_PREPARATION = Duration.ofSeconds(1);

	GoodputOptions withSystems(List<String> chosen) {
		return new GoodputOptions(chosen, this.seconds, this.capacities, this.timeoutMillis, this.clients, this.open);
	}

	GoodputOptions withSeconds(int said) {
		return new GoodputOptions(this.systems, said, this.capacities, this.timeoutMillis, this.clients, this.open);
	}

	GoodputOptions withCapacities(List<GoodputCell.Capacity> chosen) {
		return new GoodputOptions(this.systems, this.seconds, chosen, this.timeoutMillis, this.clients, this.open);
	}

	GoodputOptions withTimeouts(List<Integer> millis) {
		return new GoodputOptions(this.systems, this.seconds, this.capacities, millis, this.clients, this.open);
	}

	GoodputOptions withClients(List<Integer> counts) {
		return new GoodputOptions(this.systems, this.seconds, this.capacities, this.timeoutMillis, counts, this.open);
	}

	GoodputOptions withOpen(List<Integer> times) {
		return new GoodputOptions(this.systems, this.seconds, this.capacities, this.timeoutMillis, this.clients, times);
	}

	List<GoodputCell> cells() {
		List<GoodputCell> cells = new ArrayList<>();
		for (GoodputCell.Capacity capacity : this.capacities) {
			for (int millis : this.timeoutMillis) {
				for (int count : this.clients) {
					cells.add(new GoodputCell(capacity, Duration.ofMillis(millis), count, 0));
				}
			}
		}
		this.open.forEach((times) -> cells.add(GoodputCell.open(times)));
		return cells;
	}

	/** How long the load without limit lasts. */
	Duration fire() {
		return Duration.ofSeconds(this.seconds);
	}

	/**
	 * How long blocking callers prepare the processes, and how long they then measure.
	 */
	Duration blocking() {
		return atLeast(LEAST_BLOCKING, fire().dividedBy(3));
	}

	/** How long the load without limit prepares the processes. */
	Duration prepareFire() {
		return atLeast(LEAST_PREPARATION, fire().dividedBy(6));
	}

	private static Duration atLeast(Duration least, Duration length) {
		return (length.compareTo(least) < 0) ? least : length;
	}

	/** About how long all of it takes. */
	Duration estimate() {
		Duration each = blocking().multipliedBy(2).plus(prepareFire()).plus(fire()).plus(AROUND);
		return each.multipliedBy((long) cells().size() * this.systems.size());
	}

}
