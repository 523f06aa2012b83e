package io.rpcboot.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link H2Targets} and {@link H2Report}.
 */
class H2TargetsTests {

	private static final Scenario ECHO = Scenario.blocking(BenchCall.ECHO, 32);

	private final Results results = new Results();

	private void add(String part, Scenario scenario, Measure measure, Map<String, List<Double>> values) {
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		values.forEach((system, each) -> turns.put(system,
				each.stream().map((value) -> new Turn(1, Map.of(measure, value))).toList()));
		this.results.add(new ScenarioResult(part, scenario, turns, Map.of()));
	}

	private TargetRow row(String cell) {
		return H2Targets.of(this.results, List.of())
			.stream()
			.filter((row) -> row.cell().equals(cell))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void of_bothExecutors_areTwoFiguresOfARow() {
		add(H2Parts.LOOP, ECHO, Measure.THROUGHPUT,
				Map.of("ours-h2-loop", List.of(400.0, 600.0, 500.0), "grpc-direct", List.of(100.0, 100.0, 100.0)));
		add(H2Parts.DEFAULT, ECHO, Measure.THROUGHPUT, Map.of("ours-h2", List.of(400.0), "grpc", List.of(100.0)));
		TargetRow row = row("calls/s of both sides, of grpc-java's, echo blocking 32");
		assertThat(row.loop()).isEqualTo(new TargetRow.Figure(5, "4.00-6.00"));
		assertThat(row.loopMissed()).isFalse();
		assertThat(row.figure().value()).isEqualTo(4);
		assertThat(row.missed()).isTrue();
	}

	@Test
	void of_processorTime_isOfTheSideThatIsCompared() {
		add(H2Parts.LOOP, ECHO, Measure.SERVER_CPU,
				Map.of("grpc-to-ours-loop", List.of(2.0), "grpc-direct", List.of(10.0)));
		TargetRow row = row("server CPU under grpc-java's client, of grpc-java's, echo blocking 32");
		assertThat(row.loop().value()).isEqualTo(0.2);
		assertThat(row.loopMissed()).isFalse();
	}

	@Test
	void of_nativeCells_isTheirGeometricMean() {
		add(H2Parts.NATIVE, ECHO, Measure.THROUGHPUT, Map.of("ours-beside", List.of(90.0), "ours", List.of(100.0)));
		add(H2Parts.NATIVE, Scenario.blocking(BenchCall.ECHO, 1), Measure.THROUGHPUT,
				Map.of("ours-beside", List.of(110.0), "ours", List.of(100.0)));
		TargetRow row = row("native calls/s with gRPC and JSON hot, of native alone, geometric mean of the cells");
		assertThat(row.figure().value()).isBetween(0.99, 1.0);
		assertThat(row.figure().of()).isEqualTo("0.90-1.10");
	}

	@Test
	void of_nothingMeasured_missesNothing() {
		assertThat(H2Targets.of(this.results, List.of())).isNotEmpty()
			.noneMatch((row) -> row.missed() || row.loopMissed());
	}

	@Test
	void of_theParts_haveEverySystemAndScenarioOfTheRows() {
		for (Part part : Preset.H2.parts()) {
			for (Scenario scenario : part.scenarios()) {
				Map<String, List<Double>> values = new LinkedHashMap<>();
				part.systems().forEach((system) -> values.put(system, List.of(1.0)));
				add(part.name(), scenario, Measure.THROUGHPUT, values);
			}
		}
		List<H2Load.Row> load = List.of(new H2Load.Row("ours-h2-loop", 1, 1, 1),
				new H2Load.Row("grpc-direct", 1, 1, 1));
		assertThat(H2Targets.of(this.results, load)).filteredOn((row) -> row.cell().contains("calls/s"))
			.allMatch((row) -> Double.isNaN(row.target()) || !Double.isNaN(row.figure().value()))
			.allMatch((row) -> Double.isNaN(row.loopTarget()) || !Double.isNaN(row.loop().value()));
	}

	@Test
	void markdown_rows_haveRatiosToBothAndTheWire() {
		add(H2Parts.DEFAULT, ECHO, Measure.THROUGHPUT,
				Map.of("ours-h2", List.of(400.0), "grpc", List.of(100.0), "ours", List.of(500.0)));
		H2Report report = new H2Report(this.results);
		report.addWire(Preset.H2.parts().get(1), ECHO, Map.of("ours-h2", new WireBytes(180, 170, 0.5)));
		report.setWithoutLoad("no tool");
		assertThat(report.markdown()).contains("no tool",
				"| h2 | echo blocking 32 | ours-h2 | 400 [400-400] | 4.00 [4.00-4.00] | 0.80 [0.80-0.80] | 0.00 + 0.00"
						+ " | 0.00 + 0.00 | 180 + 170, 0.50 |");
		assertThat(report.csv()).contains("h2,echo blocking 32,ours-h2,180.0000,170.0000,0.5000");
	}

	@Test
	void tables_compareWithGrpcAndWithoutQueue_andNameWhatFailed() {
		Turn slow = new Turn(1, Map.of(Measure.THROUGHPUT, 100.0, Measure.CLIENT_CPU, 8.0, Measure.SERVER_CPU, 9.0));
		Turn fast = new Turn(1, Map.of(Measure.THROUGHPUT, 250.0, Measure.CLIENT_CPU, 3.0, Measure.SERVER_CPU, 2.0));
		this.results.add(new ScenarioResult(H2Parts.DEFAULT, ECHO,
				Map.of("ours-h2", List.of(fast), "ours", List.of(fast), "grpc", List.of(slow)),
				Map.of("grpc-to-ours", "no answer")));
		this.results.add(new ScenarioResult(H2Parts.QUEUE, ECHO,
				Map.of("ours-h2", List.of(fast), "ours-h2-client", List.of(slow), "ours-h2-unqueued", List.of(slow)),
				Map.of()));
		H2Report report = new H2Report(this.results);
		report.addWire(Preset.H2.parts().get(1), ECHO, Map.of("ours-h2", new WireBytes(180, 170, 0.5)));
		report.setWithoutLoad("no tool");
		assertThat(report.tables()).contains(
				"| echo blocking 32 | 2.50 [2.50-2.50]; 3.00 + 2.00 | failed | failed | 100; 8.00 + 9.00 |",
				"| echo blocking 32 | 250; -; 3.00 + 2.00 | 100; -; 8.00 + 9.00 | 100; -; 8.00 + 9.00"
						+ " | 2.50 [2.50-2.50] | 1.00 [1.00-1.00] |",
				"| echo blocking 32 | 250 | 1.00 [1.00-1.00] | 3.00 + 2.00 | 3.00 + 2.00 | 0.00 + 0.00 | 0.00 + 0.00"
						+ " | - + - | 180 + 170 |");
		assertThat(report.markdown()).containsAll(report.tables())
			.contains("| h2 | echo blocking 32 | grpc-to-ours | failed | - | - | - | - | - |");
	}

}
