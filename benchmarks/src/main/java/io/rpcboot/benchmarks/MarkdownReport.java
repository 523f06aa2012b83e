package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures as a page of the documentation.
 */
final class MarkdownReport {

	private static final String BASE = "grpc";

	private final Options options;

	private final Results results;

	private final List<String> lines = new ArrayList<>();

	MarkdownReport(Options options, Results results) {
		this.options = options;
		this.results = results;
	}

	/**
	 * Write the page.
	 * @param verdict what comes first: the targets, or what this run was for
	 */
	List<String> lines(List<String> verdict) {
		add("# Figures", "", "Written by the comparison in [benchmarks](../benchmarks/README.md); what they mean is in"
				+ " [performance.md](performance.md).", "");
		Machine.describe(this.options).forEach((line) -> add("- " + line));
		this.options.parts().forEach((part) -> add("- part " + part.name() + ": " + length(part)));
		this.lines.addAll(verdict);
		addScenarios("Throughput, as a ratio to grpc-java with its executors",
				"Median of the ratios within each round [least-greatest].", this.results.closed(), (result, system) -> {
					List<Turn> turns = result.turns().getOrDefault(system, List.of());
					List<Turn> base = result.turns().getOrDefault(BASE, List.of());
					return Numbers.ratio(Spread.ofRatios(turns, base, Measure.THROUGHPUT));
				});
		addScenarios("Throughput, calls per second", "Median of the rounds [least-greatest].", this.results.closed(),
				(result, system) -> absolute(result, system, Measure.THROUGHPUT));
		addScenarios("Latency at a fixed rate, p50 / p90 / p99 / p999 in microseconds",
				"At half of the throughput of the slowest system of the row, counted from when a call had to begin.",
				this.results.open(), MarkdownReport::latencies);
		addScenarios("Latency as fast as possible, p50 / p90 / p99 / p999 in microseconds", "", this.results.closed(),
				MarkdownReport::latencies);
		addScenarios("Processor time per call, client + server, microseconds", "", this.results.closed(),
				(result, system) -> Numbers.number(result.median(system, Measure.CPU)));
		addScenarios("Allocated bytes per call, client + server", "", this.results.closed(),
				(result, system) -> Numbers.number(result.median(system, Measure.ALLOCATED)));
		addScenarios("Voluntary context switches per call, client + server", "", this.results.closed(),
				(result, system) -> Numbers.factor(result.median(system, Measure.SWITCHES)));
		addSystemCalls();
		for (String part : List.of(Part.BATCHING, Part.BATCHING_LOOP, Part.VIRTUAL, Part.BURST)) {
			addScenarios("Part " + part + ", calls per second", "Median of the rounds [least-greatest].",
					this.results.of(part), (result, system) -> absolute(result, system, Measure.THROUGHPUT));
			addScenarios("Part " + part + ", processor time per call, microseconds", "", this.results.of(part),
					(result, system) -> Numbers.number(result.median(system, Measure.CPU)));
		}
		if (!this.results.failures().isEmpty()) {
			add("", "## Not measured", "");
			this.results.failures().forEach((failure) -> add("- " + failure));
		}
		return this.lines;
	}

	private static String length(Part part) {
		Timing timing = part.timing();
		return timing.rounds() + " rounds of " + timing.slice().toMillis() + " ms in each of " + part.forks()
				+ " pairs of processes, each system prepared for " + timing.preparation().toSeconds() + " s";
	}

	static List<String> targets(List<TargetRow> targets) {
		List<String> lines = new ArrayList<>(List.of("", "## Targets", "",
				"The worst cell of each row. \"loop\" is with the methods declared non-blocking and the"
						+ " callbacks on the event loop.",
				"", "| cell | loop: target | figure | default: target | figure |", "| --- | --- | --- | --- | --- |"));
		for (TargetRow row : targets) {
			String sign = (row.bound() == TargetRow.Bound.AT_LEAST) ? "≥ " : "≤ ";
			lines.add("| " + row.cell() + " | " + wanted(sign, row.loopTarget()) + " | "
					+ got(row.loop(), row.loopMissed()) + " | " + wanted(sign, row.target()) + " | "
					+ got(row.figure(), row.missed()) + " |");
		}
		return lines;
	}

	private static String wanted(String sign, double target) {
		return Double.isNaN(target) ? "" : sign + Numbers.factor(target);
	}

	private static String got(TargetRow.Figure figure, boolean missed) {
		if (Double.isNaN(figure.value())) {
			return "";
		}
		String of = figure.of().isEmpty() ? "" : " (" + figure.of() + ")";
		return (missed ? "**" : "") + Numbers.number(figure.value()) + (missed ? "** missed" : "") + of;
	}

	private void addScenarios(String title, String how, Stream<ScenarioResult> scenarios,
			BiFunction<ScenarioResult, String, String> cell) {
		List<ScenarioResult> rows = scenarios.toList();
		if (rows.isEmpty()) {
			return;
		}
		Set<String> systems = new LinkedHashSet<>();
		rows.forEach((row) -> systems.addAll(row.turns().keySet()));
		add("", "## " + title, "");
		if (!how.isEmpty()) {
			add(how, "");
		}
		add("| | " + String.join(" | ", systems) + " |",
				"| --- " + systems.stream().map((system) -> "| --- ").collect(Collectors.joining()) + "|");
		for (ScenarioResult row : rows) {
			String rate = row.scenario().load().open() ? " of " + row.scenario().load().rate() + "/s" : "";
			add("| " + row.scenario() + rate + " | "
					+ systems.stream().map((system) -> cell.apply(row, system)).collect(Collectors.joining(" | "))
					+ " |");
		}
	}

	private static String absolute(ScenarioResult result, String system, Measure measure) {
		Spread spread = Spread.of(result.turns().getOrDefault(system, List.of()), measure);
		if (Double.isNaN(spread.median())) {
			return "-";
		}
		return Numbers.number(spread.median()) + " [" + Numbers.number(spread.min()) + "-"
				+ Numbers.number(spread.max()) + "]";
	}

	private static String latencies(ScenarioResult result, String system) {
		return Stream.of(Measure.P50, Measure.P90, Measure.P99, Measure.P999)
			.map((measure) -> Numbers.number(result.median(system, measure)))
			.collect(Collectors.joining(" / "));
	}

	private void addSystemCalls() {
		if (this.results.systemCalls().isEmpty()) {
			return;
		}
		add("", "## System calls per call, client + server", "", "By " + SystemCalls.METHOD + ".", "");
		this.results.systemCalls()
			.forEach((scenario,
					counts) -> add("- " + scenario + ": " + counts.entrySet()
						.stream()
						.map((each) -> each.getKey() + " "
								+ (Double.isNaN(each.getValue()) ? "not counted" : Numbers.factor(each.getValue())))
						.collect(Collectors.joining(", "))));
	}

	private void add(String... more) {
		this.lines.addAll(List.of(more));
	}

}
