package io.rpcboot.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link MarkdownReport}.
 */
class MarkdownReportTests {

	private static final Scenario ECHO = Scenario.blocking(BenchCall.ECHO, 1);

	private final Options options = Options.parse("--preset=short");

	private final Results results = new Results();

	private void add(String part, Scenario scenario, Map<String, Map<Measure, Double>> values) {
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		values.forEach((system, measured) -> turns.put(system,
				measured.isEmpty() ? List.of() : List.of(new Turn(1, measured))));
		this.results.add(new ScenarioResult(part, scenario, turns, Map.of()));
	}

	private static Map<String, Map<Measure, Double>> systems(Map<Measure, Double> ours, Map<Measure, Double> netty,
			Map<Measure, Double> grpc) {
		Map<String, Map<Measure, Double>> systems = new LinkedHashMap<>();
		systems.put("ours", ours);
		systems.put("netty", netty);
		systems.put("grpc", grpc);
		return systems;
	}

	private List<String> lines() {
		return new MarkdownReport(this.options, this.results).lines(List.of("", "## Targets"));
	}

	@Test
	void parts_areOneTable_beforeTheTargets() {
		Part part = this.options.parts().get(0);
		List<String> lines = lines();
		int head = lines.indexOf("| part | rounds | ms a round | pairs of processes | preparation, s |");
		assertThat(lines.subList(head, head + 5)).containsExactly(
				"| part | rounds | ms a round | pairs of processes | preparation, s |",
				"| --- | --- | --- | --- | --- |",
				"| %s | %d | %d | %d | %d |".formatted(part.name(), part.timing().rounds(),
						part.timing().slice().toMillis(), part.forks(), part.timing().preparation().toSeconds()),
				"", "## Targets");
		assertThat(lines).allMatch((line) -> line.length() <= 160);
	}

	@Test
	void ratios_haveNoColumnOfTheirBase() {
		add(Part.MAIN, ECHO, systems(Map.of(Measure.THROUGHPUT, 200.0), Map.of(), Map.of(Measure.THROUGHPUT, 100.0)));
		assertThat(lines()).containsSubsequence("## Throughput, as a ratio to grpc-java with its executors",
				"| | ours | netty |", "| echo blocking 1 | 2.00 [2.00-2.00] | - |", "## Throughput, calls per second",
				"| | ours | netty | grpc |", "| echo blocking 1 | 200 [200-200] | - | 100 [100-100] |");
	}

	@Test
	void figuresPerCall_shareACell() {
		add(Part.MAIN, ECHO, systems(Map.of(Measure.CPU, 75.2, Measure.ALLOCATED, 1074.0, Measure.SWITCHES, 5.26),
				Map.of(), Map.of()));
		assertThat(lines()).containsSubsequence(
				"## Per call: processor time in microseconds / allocated bytes / voluntary context switches",
				"| echo blocking 1 | 75.2 / 1,074 / 5.26 | - | - |");
	}

	@Test
	void latencies_thatAreMissing_areOneSign() {
		add(Part.MAIN, new Scenario(BenchCall.ECHO, LoadSpec.blocking(32).atRate(11_174)),
				systems(Map.of(Measure.P50, 169.0, Measure.P90, 224.0, Measure.P99, 659.0, Measure.P999, 2802.0),
						Map.of(), Map.of()));
		assertThat(lines()).contains("| echo blocking 32, 11174/s | 169 / 224 / 659 / 2,802 | - | - |");
	}

	@Test
	void systemCalls_areOneTable() {
		Map<String, Double> counts = new LinkedHashMap<>();
		counts.put("ours", 15.8);
		counts.put("netty", Double.NaN);
		this.results.addSystemCalls(ECHO, counts);
		assertThat(lines()).containsSubsequence("## System calls per call", "| | ours | netty |",
				"| echo blocking 1 | 15.8 | - |");
	}

	@Test
	void furtherParts_haveThroughputAndTime_inOneCell() {
		add(Part.BATCHING, ECHO, systems(Map.of(Measure.THROUGHPUT, 11_328.0, Measure.CPU, 82.5), Map.of(), Map.of()));
		assertThat(lines()).containsSubsequence(
				"## Part batching: calls per second, processor time per call in microseconds",
				"| echo blocking 1 | 11,328 [11,328-11,328], 82.5 | - | - |");
	}

	@Test
	void tables_haveTheTitlesAndHeadsOfThePage() throws IOException {
		List<String> page = Files.readAllLines(Path.of("..", "docs", "performance-figures.md"));
		add(Part.MAIN, ECHO, systems(Map.of(), Map.of(), Map.of()));
		add(Part.MAIN, new Scenario(BenchCall.ECHO, LoadSpec.blocking(1).atRate(1)),
				systems(Map.of(), Map.of(), Map.of()));
		for (String part : List.of(Part.BATCHING, Part.BATCHING_LOOP, Part.VIRTUAL, Part.BURST)) {
			add(part, ECHO, systems(Map.of(), Map.of(), Map.of()));
		}
		this.results.addSystemCalls(ECHO, Map.of("ours", 1.0));
		List<String> lines = new MarkdownReport(this.options, this.results).lines(MarkdownReport.targets(List.of()));
		assertThat(lines.stream().filter((line) -> line.startsWith("#")))
			.containsExactlyElementsOf(page.stream().filter((line) -> line.startsWith("#")).toList());
		assertThat(page).containsAll(lines.subList(0, 4));
	}

}
