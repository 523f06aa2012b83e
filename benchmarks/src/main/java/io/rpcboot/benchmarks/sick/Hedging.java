package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.Spread;
import io.rpcboot.benchmarks.sick.SickOptions.Whose;

/** A few calls of all instances stall, and a second one would not. */
final class Hedging {

	private static final int INSTANCES = 3;

	private static final int RATE = 300;

	private static final double MOST_RATIO = 0.5;

	private static final double MOST_CALLS = 1.06;

	private static final long WARM_UP_MILLIS = 3000;

	private static final long MEASURED_MILLIS = 10_000;

	private final double[] p99;

	private final double[] arrivals;

	private Hedging(int runs) {
		this.p99 = new double[runs];
		this.arrivals = new double[runs];
	}

	static void measure(Scenario scenario, SickOptions options, Table table) throws IOException, InterruptedException {
		Hedging without = new Hedging(options.fewRuns());
		Hedging with = new Hedging(options.fewRuns());
		try (Fleet fleet = Fleet.fixed(options, INSTANCES)) {
			fleet.become("stall 0.05 50");
			for (int run = 0; run < options.fewRuns(); run++) {
				without.run(run, fleet, scenario, options, Whose.WITHOUT);
				with.run(run, fleet, scenario, options, Whose.WITH);
			}
		}
		table.note(scenario.toString(), "p99 ms without", "%.1f", without.p99);
		table.atMost(scenario.toString(), "p99 ms with", MOST_RATIO * Spread.of(without.p99).median(), "%.1f",
				with.p99);
		table.atMost(scenario.toString(), "arrivals for a call with", MOST_CALLS, "%.3f", with.arrivals);
	}

	private void run(int run, Fleet fleet, Scenario scenario, SickOptions options, Whose whose)
			throws IOException, InterruptedException {
		List<String> properties = options.with(Whose.CLIENT, scenario.settings(Whose.CLIENT).toArray(String[]::new));
		properties.addAll(options.with(whose, scenario.settings(whose).toArray(String[]::new)));
		try (Consumer consumer = fleet.consumer(1, false, properties)) {
			consumer.load(RATE, 0);
			TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
			long start = System.nanoTime();
			TimeUnit.MILLISECONDS.sleep(MEASURED_MILLIS);
			long end = System.nanoTime();
			List<Call> calls = consumer.stop().stream().filter((call) -> call.isOf(start, end)).toList();
			this.p99[run] = Percentiles.p99(calls);
			this.arrivals[run] = fleet.arrivals(calls) / (double) calls.size();
		}
	}

}
