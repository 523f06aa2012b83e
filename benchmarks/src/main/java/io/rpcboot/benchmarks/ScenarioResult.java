package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one scenario gave.
 *
 * @param part of which part
 * @param scenario the scenario
 * @param turns of each system that was measured to the end, one a round
 * @param failures of the other systems, why
 */
record ScenarioResult(String part, Scenario scenario, Map<String, List<Turn>> turns, Map<String, String> failures) {

	/**
	 * The same scenario in other processes.
	 * @param other what it gave there
	 * @return the turns of both; a system that failed in one has failed
	 */
	ScenarioResult and(ScenarioResult other) {
		Map<String, String> allFailures = new LinkedHashMap<>(this.failures);
		other.failures.forEach(allFailures::putIfAbsent);
		Map<String, List<Turn>> all = new LinkedHashMap<>();
		this.turns.forEach((system, mine) -> {
			List<Turn> more = other.turns.get(system);
			if (more != null) {
				List<Turn> both = new ArrayList<>(mine);
				both.addAll(more);
				all.put(system, both);
			}
		});
		return new ScenarioResult(this.part, this.scenario, all, allFailures);
	}

	/**
	 * The median of a measure.
	 * @return NaN if the system was not measured
	 */
	double median(String system, Measure measure) {
		return Spread.of(this.turns.getOrDefault(system, List.of()), measure).median();
	}

	/**
	 * The median of the ratios within each round.
	 * @return NaN if one of the systems was not measured
	 */
	double ratio(String system, String peer, Measure measure) {
		return Spread
			.ofRatios(this.turns.getOrDefault(system, List.of()), this.turns.getOrDefault(peer, List.of()), measure)
			.median();
	}

	/**
	 * The throughput of the slowest system.
	 * @return calls per second; 0 if there is none
	 */
	double slowest() {
		return this.turns.values()
			.stream()
			.mapToDouble((each) -> Spread.of(each, Measure.THROUGHPUT).median())
			.min()
			.orElse(0);
	}

}
