package io.rpcboot.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets the systems of a part take turns: in every round of a scenario each has one, and
 * each round begins with another system, and each fork. All processes live all the time;
 * those without a turn are idle.
 */
final class Comparison implements AutoCloseable {

	private static final Duration PREPARATION_TURN = Duration.ofMillis(500);

	private final Part part;

	private final List<SystemProcesses> systems;

	/** By system, why it is out of the whole comparison. */
	private final Map<String, String> failedStarts = new LinkedHashMap<>();

	/**
	 * Create it.
	 * @param fork number of the pairs of processes of this part, from 0
	 */
	Comparison(Part part, Environment environment, int fork) {
		this.part = part;
		Environment own = part.virtualThreads() ? environment.withVirtualThreads() : environment;
		this.systems = rotated(part.systems(), fork).stream()
			.map(environment::system)
			.map((system) -> new SystemProcesses(system, own))
			.toList();
	}

	void start() throws IOException, InterruptedException {
		for (SystemProcesses system : this.systems) {
			try {
				system.start(1);
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
		List<Scenario> scenarios = this.part.scenarios();
		Map<String, String> failures = new LinkedHashMap<>(this.failedStarts);
		long turns = this.part.timing().preparation().dividedBy(PREPARATION_TURN);
		for (SystemProcesses system : this.systems) {
			List<Scenario> own = scenarios.stream().filter((each) -> system.supports(each.call())).toList();
			for (int turn = 0; turn < turns && !own.isEmpty(); turn++) {
				runAll(own.get(turn % own.size()), List.of(system), PREPARATION_TURN, failures);
			}
		}
	}

	ScenarioResult run(Scenario scenario) throws InterruptedException {
		Map<String, String> failures = new LinkedHashMap<>(this.failedStarts);
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		this.systems.forEach((system) -> turns.put(system.name(), new ArrayList<>()));
		runAll(scenario, this.systems, this.part.timing().warmup(), failures);
		for (int round = 0; round < this.part.timing().rounds(); round++) {
			Map<String, Turn> results = runAll(scenario, rotated(this.systems, round), this.part.timing().slice(),
					failures);
			results.forEach((name, turn) -> turns.getOrDefault(name, new ArrayList<>()).add(turn));
		}
		failures.keySet().forEach(turns::remove);
		turns.values().removeIf(List::isEmpty);
		return new ScenarioResult(this.part.name(), scenario, turns, failures);
	}

	private Map<String, Turn> runAll(Scenario scenario, List<SystemProcesses> order, Duration length,
			Map<String, String> failures) throws InterruptedException {
		Map<String, Turn> results = new LinkedHashMap<>();
		for (SystemProcesses system : order) {
			if (!system.supports(scenario.call()) || failures.containsKey(system.name())) {
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

	/**
	 * Count the system calls of every system in a scenario.
	 * @return of one call by system; NaN where it could not be counted
	 */
	Map<String, Double> countSystemCalls(Scenario scenario, SystemCalls counter) throws InterruptedException {
		Map<String, Double> counts = new LinkedHashMap<>();
		for (SystemProcesses system : this.systems) {
			if (!system.supports(scenario.call()) || this.failedStarts.containsKey(system.name())) {
				continue;
			}
			try {
				counts.put(system.name(), counter.perCall(system, scenario));
			}
			catch (BenchmarkException | IOException ex) {
				counts.put(system.name(), Double.NaN);
			}
		}
		return counts;
	}

	/**
	 * Count what a call of every system is on the wire.
	 * @return by system, without those that failed
	 */
	Map<String, WireBytes> countWire(Scenario scenario) throws InterruptedException {
		Map<String, WireBytes> counts = new LinkedHashMap<>();
		for (SystemProcesses system : this.systems) {
			if (!system.supports(scenario.call()) || this.failedStarts.containsKey(system.name())) {
				continue;
			}
			try {
				counts.put(system.name(), WireBytes.perCall(system, scenario));
			}
			catch (BenchmarkException ex) {
				counts.put(system.name(), WireBytes.NONE);
			}
		}
		return counts;
	}

	private static <T> List<T> rotated(List<T> systems, int round) {
		int first = round % systems.size();
		List<T> order = new ArrayList<>(systems.subList(first, systems.size()));
		order.addAll(systems.subList(0, first));
		return order;
	}

	@Override
	public void close() {
		this.systems.forEach(SystemProcesses::close);
	}

}
