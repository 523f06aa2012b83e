package io.rpcboot.benchmarks;

import java.util.List;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link JsonReport}: the targets are those of the worst cell.
 */
class JsonReportTests {

	private static final ProcessCounters NONE = new ProcessCounters(0, 0, 0, 0, 0);

	@Test
	void targets_areThoseOfTheWorstCell() {
		JsonReport report = new JsonReport(JsonOptions.DEFAULT);
		add(report, 0, "ours-http", 30_000, 10);
		add(report, 0, "webmvc", 10_000, 50);
		add(report, 1, "ours-http", 15_000, 40);
		add(report, 1, "webmvc", 10_000, 50);
		List<TargetRow> rows = report.targets();
		String worst = JsonCell.ALL.get(1).toString();
		assertThat(rows).extracting(TargetRow::figure)
			.containsExactly(new TargetRow.Figure(1.5, worst), new TargetRow.Figure(0.8, worst));
		assertThat(rows).allMatch(TargetRow::missed);
		assertThat(report.csv()).hasSize(5);
	}

	@Test
	void failedSystem_hasNoRow() {
		JsonReport report = new JsonReport(JsonOptions.DEFAULT);
		add(report, 0, "ours-http", 30_000, 10);
		report.remove(JsonCell.ALL.get(0), "ours-http");
		assertThat(report.csv()).hasSize(1);
	}

	/** A turn of one second. */
	private static void add(JsonReport report, int cell, String system, long calls, long cpuMicros) {
		report.add(JsonCell.ALL.get(cell), system,
				Turn.of(calls, 1_000_000_000, NONE, new ProcessCounters(calls * cpuMicros * 1_000, 0, 0, 0, 0)));
	}

}
