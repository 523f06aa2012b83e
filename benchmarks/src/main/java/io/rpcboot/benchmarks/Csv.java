package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.fork.LoadSpec;

/**
 * The figures as comma-separated values: each turn, each ratio, each target.
 */
final class Csv {

	private static final String SCENARIO_HEAD = "part,call,mode,callers,in_flight,rate,body_bytes";

	private Csv() {
	}

	static List<String> turns(Results results) {
		List<String> lines = new ArrayList<>();
		StringBuilder head = new StringBuilder(SCENARIO_HEAD + ",system,round,calls");
		for (Measure measure : Measure.values()) {
			head.append(',').append(measure.name().toLowerCase(Locale.ROOT));
		}
		lines.add(head.toString());
		for (ScenarioResult result : results.all()) {
			result.turns().forEach((system, turns) -> {
				for (int round = 0; round < turns.size(); round++) {
					lines.add(scenario(result) + "," + system + "," + (round + 1) + turn(turns.get(round)));
				}
			});
		}
		return lines;
	}

	private static String turn(Turn turn) {
		StringBuilder line = new StringBuilder("," + turn.calls());
		for (Measure measure : Measure.values()) {
			line.append(',').append(number(turn.value(measure)));
		}
		return line.toString();
	}

	/** Of each of our systems to each of the others. */
	static List<String> ratios(Results results) {
		List<String> lines = new ArrayList<>();
		lines.add(SCENARIO_HEAD + ",system,peer,measure,min,median,max");
		for (ScenarioResult result : results.all()) {
			result.turns().forEach((system, ours) -> {
				if (system.startsWith("ours")) {
					result.turns().forEach((peer, turns) -> {
						if (!peer.equals(system)) {
							addRatios(lines, scenario(result) + "," + system + "," + peer, ours, turns);
						}
					});
				}
			});
		}
		return lines;
	}

	private static void addRatios(List<String> lines, String head, List<Turn> ours, List<Turn> peer) {
		for (Measure measure : Measure.values()) {
			Spread spread = Spread.ofRatios(ours, peer, measure);
			lines.add(head + "," + measure.name().toLowerCase(Locale.ROOT) + "," + number(spread.min()) + ","
					+ number(spread.median()) + "," + number(spread.max()));
		}
	}

	static List<String> targets(List<TargetRow> rows) {
		List<String> lines = new ArrayList<>();
		lines.add("cell,bound,loop_target,loop,loop_of,target,default,default_of");
		for (TargetRow row : rows) {
			lines.add("\"" + row.cell() + "\"," + row.bound().name().toLowerCase(Locale.ROOT) + ","
					+ number(row.loopTarget()) + "," + number(row.loop().value()) + "," + row.loop().of() + ","
					+ number(row.target()) + "," + number(row.figure().value()) + "," + row.figure().of());
		}
		return lines;
	}

	static List<String> systemCalls(Results results) {
		List<String> lines = new ArrayList<>();
		lines.add(SCENARIO_HEAD + ",system,system_calls");
		results.systemCalls()
			.forEach((scenario, counts) -> counts.forEach(
					(system, count) -> lines.add(scenario(Part.MAIN, scenario) + "," + system + "," + number(count))));
		return lines;
	}

	private static String scenario(ScenarioResult result) {
		return scenario(result.part(), result.scenario());
	}

	private static String scenario(String part, Scenario scenario) {
		LoadSpec load = scenario.load();
		return part + "," + scenario.call().label() + "," + load.mode().name().toLowerCase(Locale.ROOT) + ","
				+ load.callers() + "," + load.inFlight() + "," + load.rate() + "," + load.bodyBytes();
	}

	static String number(double value) {
		return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
	}

}
