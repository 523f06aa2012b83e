package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The figures as comma-separated values: each turn, and each ratio.
 */
final class Csv {

	private static final String SCENARIO_HEAD = "call,mode,concurrency";

	private final Options options;

	Csv(Options options) {
		this.options = options;
	}

	List<String> turns(List<ScenarioResult> results) {
		List<String> lines = new ArrayList<>();
		StringBuilder head = new StringBuilder(SCENARIO_HEAD + ",system,round,calls");
		for (Measure measure : Measure.values()) {
			head.append(',').append(measure.name().toLowerCase(Locale.ROOT));
		}
		lines.add(head.toString());
		for (ScenarioResult result : results) {
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

	List<String> ratios(List<ScenarioResult> results) {
		List<String> lines = new ArrayList<>();
		lines.add(SCENARIO_HEAD + ",system,peer,measure,min,median,max");
		String first = this.options.systems().get(0).name();
		for (ScenarioResult result : results) {
			List<Turn> ours = result.turns().get(first);
			if (ours == null) {
				continue;
			}
			result.turns().forEach((peer, turns) -> {
				if (!peer.equals(first)) {
					for (Measure measure : Measure.values()) {
						lines.add(scenario(result) + "," + first + "," + peer + ","
								+ measure.name().toLowerCase(Locale.ROOT) + ","
								+ spread(Spread.ofRatios(ours, turns, measure)));
					}
				}
			});
		}
		return lines;
	}

	private static String scenario(ScenarioResult result) {
		Scenario scenario = result.scenario();
		return scenario.call().label() + "," + scenario.mode() + "," + scenario.concurrency();
	}

	private static String spread(Spread spread) {
		return number(spread.min()) + "," + number(spread.median()) + "," + number(spread.max());
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, "%.4f", value);
	}

}
