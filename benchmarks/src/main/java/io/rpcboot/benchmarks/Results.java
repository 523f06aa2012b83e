package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Everything that was measured so far.
 */
final class Results {

	private final List<ScenarioResult> scenarios = new ArrayList<>();

	/** As they were added, each of one fork. */
	private final List<ScenarioResult> forks = new ArrayList<>();

	private final Map<Scenario, Map<String, Double>> systemCalls = new LinkedHashMap<>();

	private OverloadRun.@Nullable Outcome overload;

	private @Nullable String overloadFailure;

	/**
	 * Add what a scenario gave; to what it gave before, if its part has several forks.
	 */
	void add(ScenarioResult result) {
		this.forks.add(result);
		for (int i = 0; i < this.scenarios.size(); i++) {
			ScenarioResult known = this.scenarios.get(i);
			if (known.part().equals(result.part()) && known.scenario().equals(result.scenario())) {
				this.scenarios.set(i, known.and(result));
				return;
			}
		}
		this.scenarios.add(result);
	}

	void addSystemCalls(Scenario scenario, Map<String, Double> counts) {
		this.systemCalls.put(scenario, counts);
	}

	void setOverload(OverloadRun.Outcome outcome) {
		this.overload = outcome;
	}

	void setOverloadFailure(String why) {
		this.overloadFailure = why;
	}

	List<ScenarioResult> all() {
		return this.scenarios;
	}

	Stream<ScenarioResult> of(String part) {
		return this.scenarios.stream().filter((each) -> each.part().equals(part));
	}

	/**
	 * What a scenario gave in each fork.
	 * @return one for each fork that was run
	 */
	List<ScenarioResult> forks(String part, Scenario scenario) {
		return this.forks.stream()
			.filter((each) -> each.part().equals(part) && each.scenario().equals(scenario))
			.toList();
	}

	/** Of the main part, in which calls are made as fast as possible. */
	Stream<ScenarioResult> closed() {
		return of(Part.MAIN).filter((each) -> !each.scenario().load().open());
	}

	/** Of the main part, at a fixed rate. */
	Stream<ScenarioResult> open() {
		return of(Part.MAIN).filter((each) -> each.scenario().load().open());
	}

	Map<Scenario, Map<String, Double>> systemCalls() {
		return this.systemCalls;
	}

	Optional<OverloadRun.Outcome> overload() {
		return Optional.ofNullable(this.overload);
	}

	/** What could not be measured, and why. */
	List<String> failures() {
		List<String> failures = new ArrayList<>();
		for (ScenarioResult result : this.scenarios) {
			result.failures().forEach((system, why) -> failures.add(result.scenario() + " of " + system + ": " + why));
		}
		if (this.overloadFailure != null) {
			failures.add("overload: " + this.overloadFailure);
		}
		return failures;
	}

}
