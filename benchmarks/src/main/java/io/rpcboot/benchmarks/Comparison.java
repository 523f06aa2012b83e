package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets the systems take turns: in every round of a scenario each has one, and each round
 * begins with another system. All processes live all the time; those without a turn are
 * idle.
 */
final class Comparison implements AutoCloseable {

	private static final Duration PREPARATION_TURN = Duration.ofMillis(500);

	private final Options options;

	private final List<SystemProcesses> systems;

	/** By system, why it is out of the whole comparison. */
	private final Map<String, String> failedStarts = new LinkedHashMap<>();

	Comparison(Options options) {
		this.options = options;
		this.systems = options.systems().stream().map(SystemProcesses::new).toList();
	}

	void start() throws IOException, InterruptedException {
		for (SystemProcesses system : this.systems) {
			try {
				system.start(this.options);
			}
			catch (BenchmarkException ex) {
				this.failedStarts.put(system.name(), ex.getMessage());
			}
		}
	}

	/**
	 * Let every system work until its code is compiled, which takes the longest for the
	 * one with the most code: until then it runs at a fraction of its speed.
	 */
	void prepare() throws InterruptedException {
		List<Scenario> scenarios = this.options.scenarios();
		Map<String, String> failures = new LinkedHashMap<>(this.failedStarts);
		long turns = this.options.preparation().dividedBy(PREPARATION_TURN);
		for (int turn = 0; turn < turns; turn++) {
			runAll(scenarios.get(turn % scenarios.size()), this.systems, PREPARATION_TURN, failures);
		}
	}

	ScenarioResult run(Scenario scenario) throws InterruptedException {
		Map<String, String> failures = new LinkedHashMap<>(this.failedStarts);
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		this.systems.forEach((system) -> turns.put(system.name(), new ArrayList<>()));
		runAll(scenario, this.systems, this.options.warmup(), failures);
		for (int round = 0; round < this.options.rounds(); round++) {
			Map<String, Turn> results = runAll(scenario, rotated(round), this.options.slice(), failures);
			results.forEach((name, turn) -> turns.getOrDefault(name, new ArrayList<>()).add(turn));
		}
		failures.keySet().forEach(turns::remove);
		turns.values().removeIf(List::isEmpty);
		return new ScenarioResult(scenario, turns, failures);
	}

	private Map<String, Turn> runAll(Scenario scenario, List<SystemProcesses> order, Duration length,
			Map<String, String> failures) throws InterruptedException {
		Map<String, Turn> results = new LinkedHashMap<>();
		for (SystemProcesses system : order) {
			if (!system.system().supports(scenario.call()) || failures.containsKey(system.name())) {
				continue;
			}
			try {
				results.put(system.name(), system.run(scenario, length));
			}
			catch (BenchmarkException ex) {
				failures.put(system.name(), ex.getMessage());
			}
		}
		return results;
	}

	private List<SystemProcesses> rotated(int round) {
		int first = round % this.systems.size();
		List<SystemProcesses> order = new ArrayList<>(this.systems.subList(first, this.systems.size()));
		order.addAll(this.systems.subList(0, first));
		return order;
	}

	@Override
	public void close() {
		this.systems.forEach(SystemProcesses::close);
	}

}
