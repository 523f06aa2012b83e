package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.fork.Fired;
import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests of {@link Targets}.
 */
class TargetsTests {

	private final Results results = new Results();

	@Test
	void withoutFiguresEveryRowIsThereAndNothingIsMissed() {
		List<TargetRow> rows = Targets.of(this.results);
		assertThat(rows).hasSize(19).noneMatch(TargetRow::missed).noneMatch(TargetRow::loopMissed);
		assertThat(rows).allMatch((row) -> Double.isNaN(row.figure().value()));
	}

	@Test
	void aRowOfSeveralCellsShowsTheWorstAndNamesIt() {
		throughput(Scenario.blocking(BenchCall.ECHO, 32), Map.of("ours", 70.0, "ours-loop", 90.0, "netty", 100.0));
		throughput(Scenario.blocking(BenchCall.ECHO, 128), Map.of("ours", 50.0, "ours-loop", 95.0, "netty", 100.0));
		TargetRow row = row("echo blocking 32 and 128, of raw");
		assertThat(row.figure()).isEqualTo(new TargetRow.Figure(0.5, "echo blocking 128"));
		assertThat(row.missed()).isTrue();
		assertThat(row.loop()).isEqualTo(new TargetRow.Figure(0.9, "echo blocking 32"));
		assertThat(row.loopMissed()).isFalse();
	}

	@Test
	void everyCellIsComparedWithItsBestPeerButNotWithRaw() {
		throughput(Scenario.blocking(BenchCall.ECHO, 1),
				Map.of("ours", 60.0, "netty", 100.0, "grpc", 20.0, "dubbo", 30.0, "rocketmq", 40.0));
		throughput(Scenario.blocking(BenchCall.GET_USER, 32), Map.of("ours", 60.0, "grpc", 20.0, "dubbo", 10.0));
		assertThat(row("every cell, of the best peer").figure())
			.isEqualTo(new TargetRow.Figure(1.5, "echo blocking 1"));
	}

	@Test
	void theTailIsAGeometricMeanOverTheCellsAtAFixedRate() {
		Scenario first = new Scenario(BenchCall.ECHO, LoadSpec.blocking(32).atRate(100));
		Scenario second = new Scenario(BenchCall.GET_USER, LoadSpec.blocking(32).atRate(100));
		add(Part.MAIN, first, Measure.P99, Map.of("ours", 50.0, "grpc", 200.0, "dubbo", 100.0));
		add(Part.MAIN, second, Measure.P99, Map.of("ours", 200.0, "grpc", 100.0, "dubbo", 300.0));
		TargetRow row = row("p99 at a fixed rate, geometric mean, of the best peer");
		assertThat(row.figure().value()).isCloseTo(1, within(1e-9));
		assertThat(row.missed()).isTrue();
	}

	@Test
	void autoIsComparedWithTheBetterModeInEveryCell() {
		Scenario one = Scenario.blocking(BenchCall.ECHO, 1);
		Scenario many = Scenario.async(BenchCall.ECHO, 32);
		add(Part.BATCHING, one, Measure.THROUGHPUT, Map.of("ours", 95.0, "ours-always", 10.0, "ours-never", 100.0));
		add(Part.BATCHING, many, Measure.THROUGHPUT, Map.of("ours", 120.0, "ours-always", 100.0, "ours-never", 20.0));
		TargetRow row = row("AUTO of the better of ALWAYS and NEVER, throughput, every cell");
		assertThat(row.figure()).isEqualTo(new TargetRow.Figure(0.95, "echo blocking 1"));
		assertThat(row.missed()).isFalse();
	}

	@Test
	void virtualThreadsAreComparedWithOurOwnPlatformThreads() {
		add(Part.VIRTUAL, Scenario.blocking(BenchCall.ECHO, 128), Measure.THROUGHPUT, Map.of("ours", 100.0));
		add(Part.VIRTUAL, new Scenario(BenchCall.ECHO, LoadSpec.virtual(128)), Measure.THROUGHPUT,
				Map.of("ours", 400.0));
		add(Part.VIRTUAL, new Scenario(BenchCall.ECHO, LoadSpec.virtual(1_000)), Measure.THROUGHPUT,
				Map.of("ours", 300.0));
		assertThat(row("echo from 128 and 1,000 virtual threads, of our own 128 platform threads").figure())
			.isEqualTo(new TargetRow.Figure(3, "echo virtual 1000"));
	}

	@Test
	void oneCallThatFailedBeforeItsDeadlineMissesTheTarget() {
		this.results.setOverload(new OverloadRun.Outcome(new Fired(10, 8, 1, 1), 5, 1 << 20, 3 << 20));
		TargetRow failed = row("client without limit, then 50 clients: calls failed before their deadline");
		assertThat(failed.figure().value()).isEqualTo(1);
		assertThat(failed.missed()).isTrue();
		TargetRow heap = row("the same: growth of the used heap after GC in MiB");
		assertThat(heap.figure().value()).isEqualTo(3);
		assertThat(heap.missed()).isFalse();
	}

	@Test
	void forksOfAPartAddTheirRounds() {
		Scenario scenario = Scenario.blocking(BenchCall.ECHO, 1);
		add(Part.BATCHING, scenario, Measure.THROUGHPUT, Map.of("ours", 1.0, "ours-never", 1.0));
		this.results.add(new ScenarioResult(Part.BATCHING, scenario, Map.of("ours", List.of(turn(Measure.CPU, 1))),
				Map.of("ours-never", "process has ended")));
		assertThat(this.results.all()).hasSize(1);
		assertThat(this.results.all().get(0).turns()).containsOnlyKeys("ours");
		assertThat(this.results.all().get(0).turns().get("ours")).hasSize(4);
		assertThat(this.results.failures()).containsExactly("echo blocking 1 of ours-never: process has ended");
	}

	@Test
	void anotherPartIsNotMixedIn() {
		add(Part.VIRTUAL, Scenario.blocking(BenchCall.ECHO, 1), Measure.THROUGHPUT, Map.of("ours", 1.0, "netty", 1.0));
		assertThat(row("echo blocking 1, of raw").figure().value()).isNaN();
	}

	private TargetRow row(String cell) {
		return Targets.of(this.results).stream().filter((row) -> row.cell().equals(cell)).findFirst().orElseThrow();
	}

	private void throughput(Scenario scenario, Map<String, Double> values) {
		add(Part.MAIN, scenario, Measure.THROUGHPUT, values);
	}

	private void add(String part, Scenario scenario, Measure measure, Map<String, Double> values) {
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		values.forEach((system, value) -> {
			List<Turn> rounds = new ArrayList<>();
			for (int round = 0; round < 3; round++) {
				rounds.add(turn(measure, value));
			}
			turns.put(system, rounds);
		});
		this.results.add(new ScenarioResult(part, scenario, turns, Map.of()));
	}

	private static Turn turn(Measure measure, double value) {
		return new Turn(1, Map.of(measure, value));
	}

}
