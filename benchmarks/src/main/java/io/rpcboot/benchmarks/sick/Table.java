package io.rpcboot.benchmarks.sick;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.Spread;

/** What was wanted and what was measured. */
final class Table {

	private static final String LINE = "%-14s %-38s %-16s %-30s %s%n";

	private final List<String> lines = new ArrayList<>();

	private final List<String> missed = new ArrayList<>();

	Table(String title) {
		this.lines.add(title + System.lineSeparator());
		this.lines.add(String.format(LINE, "scenario", "what", "wanted", "measured", ""));
	}

	/**
	 * Judge the median of some values.
	 * @param scenario where they were measured
	 * @param what was measured
	 * @param wanted the most that it may be
	 * @param number how a value is written, as {@link String#format} takes it
	 * @param values one a run
	 */
	void atMost(String scenario, String what, double wanted, String number, double... values) {
		Spread spread = Spread.of(values);
		judge(scenario, what, "at most " + String.format(Locale.ROOT, number, wanted), spread.text(number),
				spread.median() <= wanted);
	}

	/** Judge a number that has to be 0. */
	void none(String scenario, String what, long count, long of) {
		judge(scenario, what, "0", "%d of %d".formatted(count, of), count == 0);
	}

	/** Say something that nobody judges. */
	void note(String scenario, String what, String number, double... values) {
		this.lines.add(String.format(LINE, scenario, what, "", Spread.of(values).text(number), ""));
	}

	/** Say that something could not be measured. */
	void broken(String scenario, Exception why) {
		judge(scenario, "is measured", "to its end", String.valueOf(why.getMessage()), false);
	}

	private void judge(String scenario, String what, String wanted, String measured, boolean isMet) {
		this.lines.add(String.format(LINE, scenario, what, wanted, measured, isMet ? "PASS" : "MISS"));
		if (!isMet) {
			this.missed.add(scenario + ", " + what + ": " + measured + " (expected: " + wanted + ")");
		}
	}

	List<String> lines() {
		return this.lines;
	}

	List<String> missed() {
		return this.missed;
	}

}
