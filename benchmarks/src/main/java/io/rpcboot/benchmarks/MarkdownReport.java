package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.fork.LoadSpec;

/**
 * Figures as the page performance-figures.md of the documentation.
 */
final class MarkdownReport {

	private static final String BASE = "grpc";

	private static final String NOT_MEASURED = "-";

	private static final String FIXED_RATE = " at a fixed rate";

	private static final int MAX_LINE = 160;

	private final Options options;

	private final Results results;

	private final List<String> lines = new ArrayList<>();

	MarkdownReport(Options options, Results results) {
		this.options = options;
		this.results = results;
	}

	/**
	 * Returns the lines of the page.
	 * @param verdict lines after the parts: the targets, or the purpose of this run
	 */
	List<String> lines(List<String> verdict) {
		add("# Figures", "",
				"Figures of the comparison in [benchmarks](../benchmarks/README.md), explained in"
						+ " [performance.md](performance.md). Brackets have least and greatest round;",
				"all columns per call are of client and server together; \"-\" is not measured.", "");
		Machine.describe(this.options).forEach(this::addItem);
		add("", "| part | rounds | ms a round | pairs of processes | preparation, s |",
				"| --- | --- | --- | --- | --- |");
		for (Part part : this.options.parts()) {
			Timing timing = part.timing();
			add("| %s | %d | %d | %d | %d |".formatted(part.name(), timing.rounds(), timing.slice().toMillis(),
					part.forks(), timing.preparation().toSeconds()));
		}
		this.lines.addAll(verdict);
		addScenarios("Throughput, as a ratio to grpc-java with its executors",
				"Median of the ratios within each round.", this.results.closed(), Set.of(BASE), (result, system) -> {
					List<Turn> turns = result.turns().getOrDefault(system, List.of());
					List<Turn> base = result.turns().getOrDefault(BASE, List.of());
					return Numbers.ratio(Spread.ofRatios(turns, base, Measure.THROUGHPUT));
				});
		addScenarios("Throughput, calls per second", "Median of the rounds.", this.results.closed(), Set.of(),
				MarkdownReport::throughput);
		addScenarios("Latency at a fixed rate, p50 / p90 / p99 / p999 in microseconds",
				"At half of the throughput of the slowest system of the row, counted from when a call had to begin.",
				this.results.open(), Set.of(), MarkdownReport::latencies);
		addScenarios("Latency as fast as possible, p50 / p90 / p99 / p999 in microseconds", "", this.results.closed(),
				Set.of(), MarkdownReport::latencies);
		addScenarios("Per call: processor time in microseconds / allocated bytes / voluntary context switches", "",
				this.results.closed(), Set.of(),
				(result, system) -> joined(Numbers.number(result.median(system, Measure.CPU)),
						Numbers.number(result.median(system, Measure.ALLOCATED)),
						Numbers.factor(result.median(system, Measure.SWITCHES))));
		addSystemCalls();
		for (String part : List.of(Part.BATCHING, Part.BATCHING_LOOP, Part.VIRTUAL, Part.BURST)) {
			addScenarios("Part " + part + ": calls per second, processor time per call in microseconds", "",
					this.results.of(part), Set.of(), MarkdownReport::throughputAndTime);
		}
		if (!this.results.failures().isEmpty()) {
			add("", "## Not measured", "");
			this.results.failures().forEach((failure) -> add("- " + failure));
		}
		return this.lines;
	}

	static List<String> targets(List<TargetRow> targets) {
		List<String> lines = new ArrayList<>(List.of("", "## Targets", "",
				"\"loop\" has non-blocking methods and callbacks on the event loop. Figures are the worst cell of the row,"
						+ " named where it is one of several.",
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

	private void addScenarios(String title, String how, Stream<ScenarioResult> scenarios, Set<String> without,
			BiFunction<ScenarioResult, String, String> cell) {
		List<ScenarioResult> rows = scenarios.toList();
		if (rows.isEmpty()) {
			return;
		}
		Set<String> systems = new LinkedHashSet<>();
		rows.forEach((row) -> systems.addAll(row.turns().keySet()));
		systems.removeAll(without);
		add("", "## " + title, "");
		if (!how.isEmpty()) {
			add(how, "");
		}
		addHead(systems);
		for (ScenarioResult row : rows) {
			LoadSpec load = row.scenario().load();
			// the title says that the rate is fixed
			String name = load.open() ? row.scenario().toString().replace(FIXED_RATE, ", " + load.rate() + "/s")
					: row.scenario().toString();
			addRow(name, systems, (system) -> cell.apply(row, system));
		}
	}

	private void addHead(Collection<String> systems) {
		add("| | " + String.join(" | ", systems) + " |", "| --- " + "| --- ".repeat(systems.size()) + "|");
	}

	private void addRow(String name, Collection<String> systems, UnaryOperator<String> cell) {
		add("| " + name + " | " + systems.stream().map(cell).collect(Collectors.joining(" | ")) + " |");
	}

	private static String throughput(ScenarioResult result, String system) {
		Spread spread = Spread.of(result.turns().getOrDefault(system, List.of()), Measure.THROUGHPUT);
		if (Double.isNaN(spread.median())) {
			return NOT_MEASURED;
		}
		return Numbers.number(spread.median()) + " [" + Numbers.number(spread.min()) + "-"
				+ Numbers.number(spread.max()) + "]";
	}

	private static String throughputAndTime(ScenarioResult result, String system) {
		String throughput = throughput(result, system);
		return throughput.equals(NOT_MEASURED) ? NOT_MEASURED
				: throughput + ", " + Numbers.number(result.median(system, Measure.CPU));
	}

	private static String latencies(ScenarioResult result, String system) {
		return joined(Stream.of(Measure.P50, Measure.P90, Measure.P99, Measure.P999)
			.map((measure) -> Numbers.number(result.median(system, measure)))
			.toArray(String[]::new));
	}

	/** Returns one sign for a cell without figures. */
	private static String joined(String... figures) {
		return List.of(figures).stream().allMatch(NOT_MEASURED::equals) ? NOT_MEASURED : String.join(" / ", figures);
	}

	private void addSystemCalls() {
		if (this.results.systemCalls().isEmpty()) {
			return;
		}
		add("", "## System calls per call", "", "By " + SystemCalls.METHOD + ".", "");
		Set<String> systems = new LinkedHashSet<>();
		this.results.systemCalls().values().forEach((counts) -> systems.addAll(counts.keySet()));
		addHead(systems);
		this.results.systemCalls()
			.forEach((scenario, counts) -> addRow(scenario.toString(), systems,
					(system) -> Numbers.factor(counts.getOrDefault(system, Double.NaN))));
	}

	/** Adds an item of a list, with lines of at most 160 characters. */
	private void addItem(String text) {
		String rest = "- " + text;
		while (rest.length() > MAX_LINE) {
			int end = rest.lastIndexOf(' ', MAX_LINE);
			add(rest.substring(0, end));
			rest = "  " + rest.substring(end + 1);
		}
		add(rest);
	}

	private void add(String... more) {
		this.lines.addAll(List.of(more));
	}

}
