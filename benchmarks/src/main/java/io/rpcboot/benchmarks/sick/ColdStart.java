package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.Spread;
import io.rpcboot.benchmarks.sick.SickOptions.Whose;

/**
 * An instance joins others under load. Its first calls take longer, and it has few
 * threads, so that it cannot do its full share at first.
 */
final class ColdStart {

	private static final int WARM_INSTANCES = 2;

	private static final int RATE = 420;

	private static final String THREADS = "--rpc.server.pool.max-threads=4";

	private static final double MOST_RATIO = 0.5;

	private static final long WARM_UP_MILLIS = 3000;

	private static final long COLD_MILLIS = 10_000;

	private ColdStart() {
	}

	static void measure(Scenario scenario, SickOptions options, Table table) throws IOException, InterruptedException {
		List<Double> without = new ArrayList<>();
		List<Double> with = new ArrayList<>();
		for (int run = 0; run < options.fewRuns(); run++) {
			without.add(p99(scenario, options, Whose.WITHOUT));
			with.add(p99(scenario, options, Whose.WITH));
		}
		double[] before = without.stream().mapToDouble(Double::doubleValue).toArray();
		table.note(scenario.toString(), "p99 ms without warm-up", "%.1f", before);
		table.atMost(scenario.toString(), "p99 ms with warm-up", MOST_RATIO * Spread.of(before).median(), "%.1f",
				with.stream().mapToDouble(Double::doubleValue).toArray());
	}

	private static double p99(Scenario scenario, SickOptions options, Whose whose)
			throws IOException, InterruptedException {
		List<String> properties = options.with(Whose.CLIENT, scenario.settings(Whose.CLIENT).toArray(String[]::new));
		properties.addAll(options.with(whose, scenario.settings(whose).toArray(String[]::new)));
		try (Fleet fleet = Fleet.registered(options, WARM_INSTANCES, THREADS);
				Consumer consumer = fleet.consumer(1, false, properties)) {
			consumer.load(RATE, 0);
			TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
			Instance cold = fleet.add(THREADS, "--sick.cold-calls=500", "--sick.cold-factor=20");
			cold.port();
			TimeUnit.MILLISECONDS.sleep(COLD_MILLIS);
			List<Call> calls = consumer.stop();
			long first = cold.arrivals().first(0);
			if (first == 0) {
				throw new IllegalStateException("the cold instance got no call");
			}
			return Percentiles.p99(calls, first, first + TimeUnit.MILLISECONDS.toNanos(COLD_MILLIS));
		}
	}

}
