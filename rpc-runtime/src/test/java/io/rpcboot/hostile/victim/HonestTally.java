package io.rpcboot.hostile.victim;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The calls of an honest client that began in one phase of a run. Thread-safe. */
public final class HonestTally {

	private static final int SECONDS_OF_A_PART = 10;

	private static final double MILLISECOND = 1e6;

	private final long beginNanos = System.nanoTime();

	/** By the second in which they began. */
	private final SortedMap<Long, List<Long>> latenciesNanos = new TreeMap<>();

	private int calls;

	private int wrong;

	private int failed;

	private String firstFailure = "";

	/**
	 * What became of the calls. Latencies are in milliseconds, those of failed calls
	 * included.
	 *
	 * @param p99 the median of the 99th percentiles of ten seconds each
	 */
	public record Summary(int calls, int wrong, int failed, double p50, double p99, double max, String firstFailure) {
	}

	synchronized void ended(long callBegan, long nanos, boolean right) {
		add(callBegan, nanos);
		this.wrong += right ? 0 : 1;
	}

	synchronized void failed(long callBegan, long nanos, String why) {
		add(callBegan, nanos);
		this.failed++;
		if (this.firstFailure.isEmpty()) {
			this.firstFailure = why;
		}
	}

	private void add(long callBegan, long nanos) {
		this.calls++;
		long second = TimeUnit.NANOSECONDS.toSeconds(Math.max(0, callBegan - this.beginNanos));
		this.latenciesNanos.computeIfAbsent(second, (ignored) -> new ArrayList<>()).add(nanos);
	}

	public synchronized Summary summary() {
		List<Long> all = new ArrayList<>();
		SortedMap<Long, List<Long>> parts = new TreeMap<>();
		this.latenciesNanos.forEach((second, latencies) -> {
			all.addAll(latencies);
			parts.computeIfAbsent(second / SECONDS_OF_A_PART, (ignored) -> new ArrayList<>()).addAll(latencies);
		});
		List<Double> p99s = parts.values().stream().map((part) -> percentile(part, 0.99)).sorted().toList();
		double p99 = p99s.isEmpty() ? 0 : p99s.get(p99s.size() / 2);
		return new Summary(this.calls, this.wrong, this.failed, percentile(all, 0.5), p99, percentile(all, 1),
				this.firstFailure);
	}

	private static double percentile(List<Long> nanos, double part) {
		if (nanos.isEmpty()) {
			return 0;
		}
		List<Long> sorted = nanos.stream().sorted().toList();
		int index = (int) Math.ceil(part * sorted.size()) - 1;
		return sorted.get(Math.max(0, index)) / MILLISECOND;
	}

}
