package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The tables as text: for every scenario the medians of each system and the ratios of
 * ours to the others; at the end the targets.
 */
final class Report {

	private static final String NAME = "%-22s";

	private static final String CELL = " %17s";

	private static final String TARGET = "%-78s %8s %-34s %8s %s%n";

	private static final List<Measure> COLUMNS = List.of(Measure.THROUGHPUT, Measure.P50, Measure.P90, Measure.P99,
			Measure.P999, Measure.CPU, Measure.ALLOCATED, Measure.SWITCHES);

	private final Options options;

	private final PrintStream out;

	Report(Options options, PrintStream out) {
		this.options = options;
		this.out = out;
	}

	void printHead() {
		Machine.describe(this.options).forEach(this.out::println);
		for (Part part : this.options.parts()) {
			Timing timing = part.timing();
			this.out.printf(Locale.ROOT,
					"%s: %s; %d scenarios, %d rounds of %d ms each after %d ms, prepared for %d ms, forks %d%n",
					part.name(), part.systems(), part.scenarios().size(), timing.rounds(), timing.slice().toMillis(),
					timing.warmup().toMillis(), timing.preparation().toMillis(), part.forks());
		}
		this.out
			.println("Medians of the rounds. A ratio is the median of the ratios within each round [least-greatest]."
					+ " CPU, allocation and context switches are of one call, client + server.");
		this.out.flush();
	}

	void print(ScenarioResult result) {
		this.out.println();
		this.out.printf(NAME, result.scenario().call().label());
		this.out.print(" " + result.scenario().load().label());
		if (result.scenario().load().open()) {
			this.out.print(" of " + result.scenario().load().rate() + "/s, latencies from when a call had to begin");
		}
		this.out.println(" (" + result.part() + ")");
		this.out.printf(NAME, "");
		COLUMNS.forEach((measure) -> this.out.printf(CELL, measure.title()));
		this.out.println();
		result.turns().forEach(this::printMedians);
		result.failures().forEach((system, why) -> {
			this.out.printf(NAME, system);
			this.out.println(" " + why);
		});
		result.turns().forEach((system, ours) -> {
			if (system.equals("ours") || system.equals("ours-loop")) {
				result.turns().forEach((peer, turns) -> printRatios(system, peer, ours, turns));
			}
		});
		this.out.flush();
	}

	private void printMedians(String system, List<Turn> turns) {
		this.out.printf(NAME, system);
		for (Measure measure : COLUMNS) {
			String cell = Numbers.number(Spread.of(turns, measure).median());
			if (measure == Measure.CPU) {
				cell += parts(turns, Measure.CLIENT_CPU, Measure.SERVER_CPU);
			}
			else if (measure == Measure.ALLOCATED) {
				cell += parts(turns, Measure.CLIENT_ALLOCATED, Measure.SERVER_ALLOCATED);
			}
			this.out.printf(CELL, cell);
		}
		this.out.println();
	}

	private static String parts(List<Turn> turns, Measure client, Measure server) {
		return " (" + Numbers.number(Spread.of(turns, client).median()) + "+"
				+ Numbers.number(Spread.of(turns, server).median()) + ")";
	}

	private void printRatios(String system, String peer, List<Turn> ours, List<Turn> turns) {
		if (peer.equals(system) || peer.equals("ours")) {
			return;
		}
		this.out.printf(NAME, system + "/" + peer);
		COLUMNS.forEach((measure) -> this.out.printf(CELL, Numbers.ratio(Spread.ofRatios(ours, turns, measure))));
		this.out.println();
	}

	void printSystemCalls(Results results) {
		if (results.systemCalls().isEmpty()) {
			return;
		}
		this.out.println();
		this.out.println("System calls of one call, client + server, by " + SystemCalls.METHOD);
		results.systemCalls().forEach((scenario, counts) -> {
			this.out.printf(NAME, scenario);
			counts.forEach((system, count) -> this.out.printf("  %s %s", system,
					Double.isNaN(count) ? "not counted" : Numbers.factor(count)));
			this.out.println();
		});
		this.out.flush();
	}

	void printOverload(OverloadRun.Outcome outcome) {
		this.out.println();
		this.out.printf(Locale.ROOT,
				"client without limit: %,d calls, %,d answered, %,d failed before their deadline, %,d at it;"
						+ " 50 clients after it: %,d calls, none failed; used heap after GC %+.1f MiB (server), %+.1f MiB (client)%n",
				outcome.fired().sent(), outcome.fired().answered(), outcome.fired().failedEarly(),
				outcome.fired().failedLate(), outcome.laterCalls(), outcome.serverHeapGrowth() / 1048576.0,
				outcome.clientHeapGrowth() / 1048576.0);
		this.out.flush();
	}

	void printTargets(List<TargetRow> rows) {
		this.out.println();
		this.out.printf(TARGET, "Targets (the worst cell of each row; \"-\": not in this run)", "loop", "", "default",
				"");
		for (TargetRow row : rows) {
			String sign = (row.bound() == TargetRow.Bound.AT_LEAST) ? ">=" : "<=";
			this.out.printf(TARGET, row.cell(), wanted(sign, row.loopTarget()), got(row.loop(), row.loopMissed()),
					wanted(sign, row.target()), got(row.figure(), row.missed()));
		}
		this.out.println();
		this.out.flush();
	}

	void printEnd(Duration elapsed) {
		this.out.printf(Locale.ROOT, "Took %d min %d s%n", elapsed.toMinutes(), elapsed.toSecondsPart());
		this.out.flush();
	}

	private static String wanted(String sign, double target) {
		return Double.isNaN(target) ? "" : sign + " " + Numbers.factor(target);
	}

	private static String got(TargetRow.Figure figure, boolean missed) {
		String of = figure.of().isEmpty() ? "" : " (" + figure.of() + ")";
		return Numbers.number(figure.value()) + (missed ? " MISSED" : "") + of;
	}

}
