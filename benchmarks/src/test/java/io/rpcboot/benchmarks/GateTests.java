package io.rpcboot.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests of {@link Gate}: the arithmetic and the verdict.
 */
class GateTests {

	private static final Scenario ONE = Scenario.blocking(BenchCall.ECHO, 1);

	private static final Scenario MANY = Scenario.async(BenchCall.ECHO, 32);

	private final Results results = new Results();

	@Test
	void aRatioIsTheMedianOfAForkAndThenOfTheForks() {
		fork(ONE, new double[] { 10, 20, 300 }, new double[] { 10, 10, 100 });
		fork(ONE, new double[] { 8, 9, 99 }, new double[] { 10, 10, 10 });
		fork(ONE, new double[] { 10, 1, 10 }, new double[] { 10, 10, 10 });
		assertThat(gate(3, ONE).cells()).extracting(Gate.Cell::ratio).containsExactly(new Spread(0.9, 1, 2));
	}

	@Test
	void theMeanIsGeometricOverTheMediansOfTheCells() {
		fork(ONE, 50, 100);
		fork(MANY, 180, 100);
		Gate gate = gate(1, ONE, MANY);
		assertThat(gate.mean()).isCloseTo(Math.sqrt(0.5 * 1.8), within(1e-9));
		assertThat(gate.misses()).hasSize(2)
			.anyMatch((miss) -> miss.startsWith("ours/before echo blocking 1: all forks below, greatest 0.500"))
			.anyMatch((miss) -> miss.startsWith("geometric mean of the cells: 0.949 (expected: at least 0.970)"));
	}

	@Test
	void aCellMissesIfAllItsForksAreBelow() {
		forks(ONE, 0.90, 0.91, 0.929);
		forks(MANY, 1.10, 1.10, 1.10);
		assertThat(gate(3, ONE, MANY).misses()).singleElement().asString().contains("echo blocking 1");
	}

	@Test
	void oneForkAtTheBoundSavesACell() {
		forks(ONE, 0.90, 0.90, 0.93);
		forks(MANY, 1.10, 1.10, 1.10);
		assertThat(gate(3, ONE, MANY).misses()).isEmpty();
	}

	@Test
	void theBoundsCanBeChosen() {
		forks(ONE, 0.92, 0.96, 0.96);
		assertThat(gate(3, ONE).misses()).singleElement().asString().contains("geometric mean");
		assertThat(gate(GateBounds.DEFAULT.withMean(0.95), 3, ONE).misses()).isEmpty();
		assertThat(gate(new GateBounds(0.95, 0.97), 3, ONE).misses()).singleElement()
			.asString()
			.contains("0.970 in one");
	}

	@Test
	void whatWasNotMeasuredMisses() {
		forks(ONE, 1, 1);
		assertThat(gate(3, ONE).misses()).containsExactly("ours/before echo blocking 1: not measured in every fork");
		assertThat(gate(2, ONE).misses()).isEmpty();
		Part alone = Part.of(Part.GATE, List.of("ours"), List.of(ONE), Timing.ofMillis(1, 1, 1, 0));
		assertThat(Gate.of(this.results, List.of(alone), GateBounds.DEFAULT).misses()).singleElement()
			.asString()
			.startsWith("no cell");
	}

	@Test
	void allocatedBytesAreOfBothBuilds() {
		this.results.add(new ScenarioResult(Part.GATE, ONE,
				Map.of("ours", List.of(turn(1, 600), turn(1, 700)), "before", List.of(turn(1, 500), turn(1, 500))),
				Map.of()));
		Gate.Cell cell = gate(1, ONE).cells().get(0);
		assertThat(cell.allocatedAfter()).isEqualTo(650);
		assertThat(cell.allocatedBefore()).isEqualTo(500);
	}

	@Test
	void theReportSaysWhatWasMissed() {
		forks(ONE, 0.90, 0.91, 0.92);
		String text = print(gate(3, ONE));
		assertThat(text).contains("[0.900-0.920]")
			.contains("geometric mean of 1 cells: 0.910 (expected: at least 0.970)")
			.contains("cells whose whole range lies below 0.930: 1 (expected: none)")
			.contains("speed gate: MISSED");
	}

	@Test
	void theReportSaysThatItIsPassed() {
		forks(ONE, 1.01, 1, 0.99);
		assertThat(print(gate(3, ONE))).contains("speed gate: passed").doesNotContain("MISSED");
		assertThat(new GateReport(gate(3, ONE)).csv()).containsExactly(
				"after,before,cell,min,median,max,allocated_after,allocated_before",
				"ours,before,echo blocking 1,0.9900,1.0000,1.0100,0.0000,0.0000");
	}

	private static String print(Gate gate) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		new GateReport(gate).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
		return bytes.toString(StandardCharsets.UTF_8);
	}

	private Gate gate(int forks, Scenario... scenarios) {
		return gate(GateBounds.DEFAULT, forks, scenarios);
	}

	private Gate gate(GateBounds bounds, int forks, Scenario... scenarios) {
		Part part = Part.of(Part.GATE, List.of("ours", "before"), List.of(scenarios), Timing.ofMillis(1, 1, 1, 0))
			.withForks(forks);
		return Gate.of(this.results, List.of(part), bounds);
	}

	private void forks(Scenario scenario, double... ratios) {
		for (double ratio : ratios) {
			fork(scenario, 1000 * ratio, 1000);
		}
	}

	private void fork(Scenario scenario, double after, double before) {
		fork(scenario, new double[] { after }, new double[] { before });
	}

	private void fork(Scenario scenario, double[] after, double[] before) {
		this.results.add(new ScenarioResult(Part.GATE, scenario, Map.of("ours", turns(after), "before", turns(before)),
				Map.of()));
	}

	private static List<Turn> turns(double... throughputs) {
		List<Turn> turns = new ArrayList<>();
		for (double throughput : throughputs) {
			turns.add(turn(throughput, 0));
		}
		return turns;
	}

	private static Turn turn(double throughput, double allocated) {
		return new Turn(1, Map.of(Measure.THROUGHPUT, throughput, Measure.ALLOCATED, allocated));
	}

}
