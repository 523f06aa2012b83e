package io.rpcboot.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.fork.Ends;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link GoodputCell}, {@link GoodputRow} and {@link GoodputReport}: what each
 * process does, which bounds are missed, and that no column is lost.
 */
class GoodputTests {

	private static final GoodputCell CELL = new GoodputCell(GoodputCell.Capacity.SLOW, Duration.ofMillis(300), 10, 0);

	private static final GoodputRow.Heaps FLAT = new GoodputRow.Heaps(20 << 20, 21 << 20, 20 << 20, 19 << 20);

	@Test
	void severalClientsAreInTwoProcesses() {
		assertThat(CELL.processes()).isEqualTo(2);
		assertThat(List.of(CELL.clients(0), CELL.clients(1))).containsExactly(5, 5);
		GoodputCell odd = new GoodputCell(GoodputCell.Capacity.NO_OP, Duration.ofSeconds(3), 3, 0);
		assertThat(List.of(odd.clients(0), odd.clients(1))).containsExactly(2, 1);
		assertThat(CELL.blocking()).hasToString("blocking:8:0:0");
		assertThat(CELL.firing(200)).hasToString("fire:2:0:0");
	}

	@Test
	void anOpenLoopCallsAtAMultipleOfTheCapacity() {
		assertThat(GoodputCell.open(5).processes()).isOne();
		assertThat(GoodputCell.open(5).firing(390.3)).hasToString("fire:2:0:1952");
	}

	@Test
	void boundsAreHeldAtTheirEdge() {
		GoodputRow row = new GoodputRow("ours", CELL, 10, 200, ends(1_800, 1, 70_000_000, 20_000_000), 2_000, FLAT);
		assertThat(row.goodput()).isEqualTo(180);
		assertThat(row.useful()).isEqualTo(0.95);
		assertThat(row.misses()).isEmpty();
	}

	@Test
	void everyBoundThatIsMissedIsSaidWithItsFigure() {
		GoodputRow row = new GoodputRow("ours", CELL, 10, 200, ends(1_790, 11, 71_000_000, 20_000_000), 2_000,
				new GoodputRow.Heaps(0, 0, 0, 6 << 20));
		assertThat(row.misses()).containsExactly("answered in time 0.895 of blocking callers (expected: at least 0.9)",
				"0.11 % of ends over 100 ms late (expected: at most 0.1 %)",
				"latest end 71 ms late (expected: at most 70, 50 more than the longest pause)",
				"used heap +6.0 MiB (expected: at most 5)");
		Ends lost = new Ends(10_000, 1_900, 1_900, 0, 2, 0, 0, 0, 0, 0, Map.of());
		assertThat(new GoodputRow("ours", CELL, 10, 200, lost, 2_000, FLAT).misses())
			.containsExactly("2 calls never ended (expected: none)");
	}

	@Test
	void aReferenceThatReachedNothingHoldsNoBound() {
		assertThat(new GoodputRow("ours", CELL, 10, 0, ends(0, 0, 0, 0), 0, FLAT).misses()).hasSize(1);
		assertThat(new GoodputRow("ours", CELL, 10, 0, ends(9, 0, 0, 0), 9, FLAT).misses()).hasSize(1);
	}

	private static Ends ends(long inWindow, long veryLate, long lateMax, long pause) {
		return new Ends(10_000, 1_900, inWindow, 3, 0, 40, veryLate, 1_000_000, lateMax, pause,
				Map.of("DEADLINE_EXCEEDED", 8_000L, "UNAVAILABLE", 97L));
	}

	@Test
	void everyLineHasEveryColumn() {
		GoodputReport report = new GoodputReport();
		report.add(new GoodputRow("ours", CELL, 10, 200, ends(1_800, 1, 70_000_000, 20_000_000), 2_000, FLAT));
		report.add("grpc", CELL, "process has ended");
		List<String> csv = report.csv();
		int columns = csv.get(0).split(",").length;
		assertThat(csv.get(1).split(",")).hasSize(columns)
			.contains("\"DEADLINE_EXCEEDED=8000 UNAVAILABLE=97\"", "8097", "\"held\"");
		assertThat(csv.get(2).split(",", -1)).hasSize(columns).endsWith("\"not measured: process has ended\"");
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		report.printLast(new PrintStream(bytes, true, StandardCharsets.UTF_8));
		assertThat(bytes.toString(StandardCharsets.UTF_8))
			.contains("grpc 200-300ms-10: not measured, process has ended");
		assertThat(report.markdown()).contains("- ours 200-300ms-10: held");
	}

}
