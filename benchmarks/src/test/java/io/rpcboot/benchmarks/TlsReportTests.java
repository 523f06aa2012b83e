package io.rpcboot.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.tls.RecordCounter.Counts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link TlsReport}.
 */
class TlsReportTests {

	private final Results results = new Results();

	private void add(Scenario scenario, double... callsPerSecond) {
		Map<String, List<Turn>> turns = new LinkedHashMap<>();
		for (int i = 0; i < callsPerSecond.length; i++) {
			turns.put(TlsPart.SYSTEMS.get(i), List.of(new Turn(1, Map.of(Measure.THROUGHPUT, callsPerSecond[i]))));
		}
		this.results.add(new ScenarioResult(TlsPart.NAME, scenario, turns, Map.of()));
	}

	private TlsReport report(List<TlsCosts.Row> rows, List<TlsCosts.Wire> wires) {
		return new TlsReport(this.results, rows, wires);
	}

	@Test
	void targets_theParts_haveFigures() {
		TlsPart.scenarios().forEach((scenario) -> add(scenario, 100, 50, 70, 40, 20, 20));
		List<TargetRow> targets = report(List.of(), List.of()).targets();
		assertThat(targets).hasSize(8);
		assertThat(targets).extracting((row) -> row.figure().value())
			.containsExactly(2.5, 2.5, 2.5, 3.5, 3.5, 3.5, 0.7, 0.7);
		assertThat(targets).extracting(TargetRow::missed)
			.containsExactly(true, true, false, false, false, false, false, false);
	}

	@Test
	void targets_nothingMeasured_missNothing() {
		assertThat(report(List.of(), List.of()).targets()).noneMatch(TargetRow::missed);
	}

	@Test
	void tables_haveRatiosToClearTextAndPeer() {
		add(TlsPart.LARGE, 100, 50, 70, 40, 20, 20);
		assertThat(report(List.of(), List.of()).tables()).contains(
				"| echo blocking 16 of 64 KB | clear | 100 |  | 0.00 + 0.00 | 40.0 |  | 0.00 + 0.00 | 2.50 [2.50-2.50] |",
				"| echo blocking 16 of 64 KB | jdk | 50.0 | 0.50 [0.50-0.50] | 0.00 + 0.00 | 20.0 | 0.50 [0.50-0.50]"
						+ " | 0.00 + 0.00 | 2.50 [2.50-2.50] |");
	}

	@Test
	void tables_ofClearText_haveNoRecords() {
		Counts counts = new Counts(300, 2, 100, 1);
		TlsReport report = report(List.of(new TlsCosts.Row("ours", Spread.of(900), Spread.of(400), 20_000, 30_000)),
				List.of(new TlsCosts.Wire("ours", TlsPart.LARGE, counts),
						new TlsCosts.Wire("ours-tls-jdk", TlsPart.LARGE, counts)));
		assertThat(report.tables()).contains("| ours | 900 | 400 | 20,000 | 30,000 |",
				"| echo blocking 16 of 64 KB | ours | 300 + 100 |  |  |",
				"| echo blocking 16 of 64 KB | ours-tls-jdk | 300 + 100 | 2.00 + 1.00 | 150 + 100 |");
	}

}
