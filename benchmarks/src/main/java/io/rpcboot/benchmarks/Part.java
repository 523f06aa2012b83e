package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * Systems that are compared with each other, and in what.
 *
 * @param name what files and reports call it
 * @param systems the first is compared with each of the others
 * @param scenarios in which
 * @param timing how long
 * @param forks how often all of it is done, each time with new processes
 * @param virtualThreads whether the processes need them
 * @param latencies the scenarios that are repeated at a fixed rate, half of what the
 * slowest system has reached
 * @param systemCalls the scenarios in which system calls are counted
 */
record Part(String name, List<String> systems, List<Scenario> scenarios, Timing timing, int forks,
		boolean virtualThreads, List<Scenario> latencies, List<Scenario> systemCalls) {

	/** The part that the other parts are additions to. */
	static final String MAIN = "main";

	static final String BATCHING = "batching";

	static final String BATCHING_LOOP = "batching-loop";

	static final String VIRTUAL = "virtual";

	static final String BURST = "burst";

	static final String GATE = "gate";

	static final String GATE_LOOP = "gate-loop";

	static final String GATE_INSTANCES = "gate-instances";

	static final String INSTANCES = "instances";

	static final String PAYLOAD = "payload";

	static Part of(String name, List<String> systems, List<Scenario> scenarios, Timing timing) {
		return new Part(name, systems, scenarios, timing, 1, false, List.of(), List.of());
	}

	Part withForks(int count) {
		return new Part(this.name, this.systems, this.scenarios, this.timing, count, this.virtualThreads,
				this.latencies, this.systemCalls);
	}

	Part withTiming(Timing said) {
		return new Part(this.name, this.systems, this.scenarios, said, this.forks, this.virtualThreads, this.latencies,
				this.systemCalls);
	}

	Part withVirtualThreads() {
		return new Part(this.name, this.systems, this.scenarios, this.timing, this.forks, true, this.latencies,
				this.systemCalls);
	}

	Part withLatencies(List<Scenario> chosen) {
		return new Part(this.name, this.systems, this.scenarios, this.timing, this.forks, this.virtualThreads, chosen,
				this.systemCalls);
	}

	Part withSystemCalls(List<Scenario> chosen) {
		return new Part(this.name, this.systems, this.scenarios, this.timing, this.forks, this.virtualThreads,
				this.latencies, chosen);
	}

	/**
	 * How long it takes at most, without starting the processes and without systems that
	 * cannot make every call.
	 */
	Duration estimate() {
		Duration scenario = this.timing.slice().multipliedBy(this.timing.rounds()).plus(this.timing.warmup());
		Duration turns = scenario.multipliedBy(this.scenarios.size() + this.latencies.size());
		Duration system = this.timing.preparation()
			.plus(turns)
			.plus(SystemCalls.EACH.multipliedBy(this.systemCalls.size()));
		return system.multipliedBy((long) this.systems.size() * this.forks);
	}

}
