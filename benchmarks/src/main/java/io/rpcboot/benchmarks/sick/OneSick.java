package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rpcboot.benchmarks.Spread;
import io.rpcboot.benchmarks.sick.SickOptions.Whose;

/**
 * One of some instances gets sick while it is called at a steady rate, and well again.
 */
final class OneSick {

	private static final int RATE = 300;

	private static final double MOST_SHARE_PERCENT = 0.5;

	private static final double MOST_RATIO = 1.3;

	private static final double MOST_MORE_MILLIS = 20;

	private static final double MOST_BACK_SECONDS = 10;

	private static final long WARM_UP_MILLIS = 3000;

	private static final long HEALTHY_MILLIS = 3000;

	/** What it takes at most until it is noticed. */
	private static final long NOTICED_NANOS = TimeUnit.SECONDS.toNanos(3);

	private static final long SICK_MILLIS = 8000;

	private static final long STOPPED_MILLIS = 20_000;

	private static final long LONGEST_BACK_NANOS = TimeUnit.SECONDS.toNanos(15);

	/** Of which the share must be half of the fair one. */
	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private static final int LOSS_PERCENT = 30;

	private final Scenario scenario;

	private final SickOptions options;

	private final List<Run> runs = new ArrayList<>();

	private OneSick(Scenario scenario, SickOptions options) {
		this.scenario = scenario;
		this.options = options;
	}

	/** Measure it with each number of instances. */
	static void measure(Scenario scenario, SickOptions options, Table table) throws IOException, InterruptedException {
		for (int instances : options.instances()) {
			OneSick measure = new OneSick(scenario, options);
			try (Fleet fleet = Fleet.fixed(options, instances)) {
				for (int run = 0; run < options.runs(); run++) {
					measure.run(fleet, instances, run % instances);
				}
			}
			measure.report(scenario + " " + instances, table);
		}
	}

	private void run(Fleet fleet, int instances, int sick) throws IOException, InterruptedException {
		List<String> properties = this.options.with(Whose.CLIENT,
				this.scenario.settings(Whose.CLIENT).toArray(String[]::new));
		try (Consumer consumer = fleet.consumer(1, this.scenario == Scenario.LOSSY, properties)) {
			consumer.load(RATE, 0);
			TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
			long healthy = System.nanoTime();
			TimeUnit.MILLISECONDS.sleep(HEALTHY_MILLIS);
			long start = System.nanoTime();
			fallSick(fleet, sick);
			long end = System.nanoTime();
			double back = awaitBack(fleet, sick, end, 0.5 / instances);
			List<Call> calls = consumer.stop();
			keep(fleet, instances, calls, start);
			Set<Long> asked = new HashSet<>(fleet.instance(sick).arrivals().numbers());
			int port = (this.scenario == Scenario.LOSSY) ? fleet.way(sick).port() : fleet.instance(sick).port();
			List<Call> noticed = calls.stream().filter((call) -> call.isOf(start + NOTICED_NANOS, end)).toList();
			long there = noticed.stream()
				.filter((call) -> asked.contains(call.number()) || call.isFailedAt(port))
				.count();
			this.runs.add(new Run(100.0 * there / noticed.size(), Percentiles.p99(calls, healthy, start),
					Percentiles.p99(noticed), back, calls.stream().filter(Call::isFailed).count(), calls.size()));
		}
	}

	/** A line for each call, to see why a figure is what it is. */
	private void keep(Fleet fleet, int instances, List<Call> calls, long start) throws IOException {
		List<Set<Long>> asked = IntStream.range(0, instances)
			.mapToObj((i) -> Set.copyOf(fleet.instance(i).arrivals().numbers()))
			.toList();
		List<String> lines = new ArrayList<>(List.of("millis,took,outcome,instances"));
		for (Call call : calls) {
			String where = IntStream.range(0, instances)
				.filter((i) -> asked.get(i).contains(call.number()))
				.mapToObj(String::valueOf)
				.collect(Collectors.joining(" "));
			lines.add(String.format(Locale.ROOT, "%.1f,%.1f,%s,%s", (call.planned() - start) / 1e6, call.millis(),
					call.outcome(), where));
		}
		Files.write(this.options.output()
			.resolve("sick-%s-%d-run-%d.csv".formatted(this.scenario, instances, this.runs.size() + 1)), lines);
	}

	/** Returns when it is well. */
	private void fallSick(Fleet fleet, int sick) throws IOException, InterruptedException {
		Instance instance = fleet.instance(sick);
		switch (this.scenario) {
			case STOPPED -> {
				Child.Frozen frozen = instance.child().freeze();
				try {
					TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
				}
				finally {
					frozen.close();
				}
			}
			case LOSSY -> {
				fleet.way(sick).lose(LOSS_PERCENT / 100.0);
				TimeUnit.MILLISECONDS.sleep(SICK_MILLIS);
				fleet.way(sick).lose(0);
			}
			case PACKETS -> {
				PacketLoss loss = new PacketLoss(instance.port(), LOSS_PERCENT);
				try {
					TimeUnit.MILLISECONDS.sleep(SICK_MILLIS);
				}
				finally {
					loss.close();
				}
			}
			default -> {
				instance.become(switch (this.scenario) {
					case SLOW -> "slow 100";
					case HALF -> "fail 0.5 " + this.options.failure();
					default -> "fail 1 " + this.options.failure();
				});
				TimeUnit.MILLISECONDS.sleep(SICK_MILLIS);
				instance.become("healthy");
			}
		}
	}

	/**
	 * Calls that were under way arrive with the first; the share of half a second counts.
	 */
	private static double awaitBack(Fleet fleet, int index, long well, double share) throws InterruptedException {
		for (long now = System.nanoTime(); now - well < LONGEST_BACK_NANOS; now = System.nanoTime()) {
			TimeUnit.MILLISECONDS.sleep(50);
			long from = now - WINDOW_NANOS;
			if (from >= well
					&& fleet.instance(index).arrivals().count(from, now) >= share * fleet.arrivals(from, now)) {
				return TimeUnit.NANOSECONDS.toMillis(now - well) / 1e3;
			}
		}
		return TimeUnit.NANOSECONDS.toSeconds(LONGEST_BACK_NANOS);
	}

	private void report(String row, Table table) {
		table.atMost(row, "share of the sick one, % of calls", MOST_SHARE_PERCENT, "%.2f",
				this.runs.stream().mapToDouble(Run::sharePercent).toArray());
		double[] healthy = this.runs.stream().mapToDouble(Run::healthyMillis).toArray();
		table.note(row, "p99 ms, all healthy", "%.1f", healthy);
		table.atMost(row, "p99 ms", MOST_RATIO * Spread.of(healthy).median() + MOST_MORE_MILLIS, "%.1f",
				this.runs.stream().mapToDouble(Run::sickMillis).toArray());
		table.atMost(row, "half of its fair share after, s", MOST_BACK_SECONDS, "%.1f",
				this.runs.stream().mapToDouble(Run::backSeconds).toArray());
		table.none(row, "idempotent calls failed", this.runs.stream().mapToLong(Run::failed).sum(),
				this.runs.stream().mapToLong(Run::calls).sum());
	}

	/**
	 * What was measured.
	 *
	 * @param sharePercent of the calls that the sick one got
	 * @param healthyMillis p99 before
	 * @param sickMillis p99 then
	 * @param backSeconds until it had half of its fair share
	 * @param failed calls
	 * @param calls all
	 */
	private record Run(double sharePercent, double healthyMillis, double sickMillis, double backSeconds, long failed,
			long calls) {
	}

}
