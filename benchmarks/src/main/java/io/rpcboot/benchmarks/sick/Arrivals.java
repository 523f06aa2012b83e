package io.rpcboot.benchmarks.sick;

import java.util.ArrayList;
import java.util.List;

/** The calls that reached an instance. One thread adds; any thread asks. */
final class Arrivals {

	private final List<Arrival> seen = new ArrayList<>();

	/** Take a line of an instance, without {@link InstanceProcess#BEGUN}. */
	synchronized void add(String line) {
		String[] words = line.split(" ");
		this.seen.add(new Arrival(Long.parseLong(words[0]), words[1].equals("w"), Long.parseLong(words[2])));
	}

	synchronized int count() {
		return this.seen.size();
	}

	/** How many arrived in a time. */
	synchronized long count(long from, long to) {
		long count = 0;
		for (int i = this.seen.size() - 1; i >= 0 && this.seen.get(i).nanos >= from; i--) {
			count += (this.seen.get(i).nanos < to) ? 1 : 0;
		}
		return count;
	}

	/** Numbers of calls that arrived; a call that arrived twice is there twice. */
	synchronized List<Long> numbers() {
		return this.seen.stream().map(Arrival::number).toList();
	}

	/** When the first one came that is not before a time; 0 if there is none. */
	synchronized long first(long from) {
		return this.seen.stream().mapToLong(Arrival::nanos).filter((nanos) -> nanos >= from).findFirst().orElse(0);
	}

	/**
	 * A call.
	 *
	 * @param nanos when it came
	 * @param isWrite whether it is not idempotent
	 * @param number its number
	 */
	private record Arrival(long nanos, boolean isWrite, long number) {
	}

}
