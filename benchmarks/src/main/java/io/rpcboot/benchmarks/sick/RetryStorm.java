package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.sick.SickOptions.Whose;

/** All instances are sick, and many clients call them. */
final class RetryStorm {

	private static final int INSTANCES = 3;

	private static final int PROCESSES = 2;

	private static final int CLIENTS = 25;

	/** Of each process. */
	private static final int RATE = 300;

	private static final double MOST_GROWTH = 1.2;

	private static final long WARM_UP_MILLIS = 3000;

	private static final long SICK_MILLIS = 8000;

	private RetryStorm() {
	}

	static void measure(Scenario scenario, SickOptions options, Table table) throws IOException, InterruptedException {
		List<String> properties = options.with(Whose.CLIENT, scenario.settings(Whose.CLIENT).toArray(String[]::new));
		properties.add(0, "--rpc.client.timeout=500ms");
		List<Consumer> consumers = new ArrayList<>();
		double[] growth = new double[options.fewRuns()];
		double[] failed = new double[options.fewRuns()];
		try (Fleet fleet = Fleet.fixed(options, INSTANCES)) {
			for (int run = 0; run < options.fewRuns(); run++) {
				try {
					for (int i = 0; i < PROCESSES; i++) {
						consumers.add(fleet.consumer(CLIENTS, false, properties));
					}
					List<Call> calls = run(fleet, scenario, options.failure(), consumers);
					growth[run] = fleet.arrivals(calls) / (double) calls.size();
					failed[run] = 100.0 * calls.stream().filter(Call::isFailed).count() / calls.size();
				}
				finally {
					consumers.parallelStream().forEach(Consumer::close);
					consumers.clear();
				}
			}
		}
		table.atMost(scenario.toString(), "arrivals for a call", MOST_GROWTH, "%.2f", growth);
		table.note(scenario.toString(), "% of calls failed", "%.1f", failed);
	}

	/** The calls that began while all were sick. */
	private static List<Call> run(Fleet fleet, Scenario scenario, String failure, List<Consumer> consumers)
			throws IOException, InterruptedException {
		for (Consumer consumer : consumers) {
			consumer.load(RATE, 0);
		}
		TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
		long start = System.nanoTime();
		fleet.become((scenario == Scenario.STORM_SLOW) ? "slow 300" : "fail 1 " + failure);
		TimeUnit.MILLISECONDS.sleep(SICK_MILLIS);
		long end = System.nanoTime();
		List<Call> calls = new ArrayList<>();
		for (Consumer consumer : consumers) {
			calls.addAll(consumer.stop());
		}
		fleet.become("healthy");
		return calls.stream().filter((call) -> call.isOf(start, end)).toList();
	}

}
