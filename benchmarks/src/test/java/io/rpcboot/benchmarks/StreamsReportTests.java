package io.rpcboot.benchmarks;

import java.util.List;

import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.streams.Direction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link StreamsReport}: figures of an element, and the targets.
 */
class StreamsReportTests {

	private static final StreamCell DOWN = new StreamCell(Direction.DOWN, 1, 100);

	private static final StreamCell UP = new StreamCell(Direction.UP, 1, 100);

	private static final StreamsOptions OPTIONS = new StreamsOptions(StreamsOptions.DEFAULT.systems(),
			List.of(Direction.DOWN, Direction.UP, Direction.BYTES), List.of(1), List.of(100), 1, 1, 100, 100);

	private final StreamsReport report = new StreamsReport(OPTIONS);

	@Test
	void target_isTheWorstCellBesideTheBetterPeer() {
		add(DOWN, "ours", 3_000_000, 1, 1);
		add(DOWN, "grpc-direct", 1_000_000, 1, 1);
		add(DOWN, "rsocket", 2_000_000, 1, 1);
		add(UP, "ours", 4_000_000, 1, 1);
		add(UP, "grpc-direct", 1_000_000, 1, 1);
		TargetRow row = this.report.targets().get(0);
		assertThat(row.figure()).isEqualTo(new TargetRow.Figure(1.5, "rsocket, server stream, 1 of 100 B"));
		assertThat(row.missed()).isTrue();
		assertThat(row.loop()).isEqualTo(TargetRow.Figure.NONE);
	}

	@Test
	void cpu_isThatOfOurSideByTheOtherHalfAndByGrpcInTheSameRole() {
		add(DOWN, "grpc-to-ours", 1_000_000, 800, 200);
		add(DOWN, "grpc-direct", 1_000_000, 500, 500);
		List<TargetRow> rows = this.report.targets();
		assertThat(rows).extracting(TargetRow::cell)
			.contains("our server's CPU, of grpc-java's client", "our server's CPU, of grpc-java's server");
		assertThat(figure(rows, "our server's CPU, of grpc-java's client")).isEqualTo(0.25);
		assertThat(figure(rows, "our server's CPU, of grpc-java's server")).isEqualTo(0.4);
	}

	@Test
	void file_isComparedWithTheSocket() {
		add(StreamCell.FILE, "ours", 7_000, 1, 1);
		add(StreamCell.FILE, "socket", 10_000, 1, 1);
		assertThat(figure(this.report.targets(), "InputStream of 1 GB, of a socket")).isEqualTo(0.7);
	}

	@Test
	void row_hasNanosecondsOfAnElement() {
		add(DOWN, "ours", 1_000_000, 300, 200);
		assertThat(this.report.markdown())
			.anyMatch((line) -> line.contains("| 300 + 200 |") && line.contains("| 100 |"));
		assertThat(this.report.csv())
			.contains("down,1,100,ours,0,1000000,1000000.0000,300.0000,200.0000,0.0000,0.0000");
	}

	@Test
	void failedSystem_hasNoRow() {
		add(DOWN, "ours", 1_000_000, 1, 1);
		this.report.remove(DOWN, "ours");
		assertThat(this.report.csv()).hasSize(1);
	}

	private static double figure(List<TargetRow> rows, String cell) {
		return rows.stream()
			.filter((row) -> row.cell().equals(cell))
			.mapToDouble((row) -> Double.isNaN(row.figure().value()) ? row.loop().value() : row.figure().value())
			.findFirst()
			.orElseThrow();
	}

	/** A turn of one second. */
	private void add(StreamCell cell, String system, long elements, long clientNanos, long serverNanos) {
		this.report.add(cell, system,
				Turn.of(elements, 1_000_000_000, cpu(elements * clientNanos), cpu(elements * serverNanos)));
	}

	private static ProcessCounters cpu(long nanos) {
		return new ProcessCounters(nanos, 0, 0, 0, 0);
	}

}
