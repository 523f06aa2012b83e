package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The cells of the goodput matrix as text, as a page and as comma-separated values.
 */
final class GoodputReport {

	private static final String ROW = "%-14s %-6s %7s %7s %-8s %11s %11s %11s %10s %10s %6s %6s %9s %9s %8s %14s %14s%n";

	private static final List<String> HEAD = List.of("system", "server", "timeout", "clients", "load", "started",
			"in time", "executed", "in time/s", "blocking/s", "ratio", "useful", "late p999", "late max", "pause",
			"client heap", "server heap");

	private static final String HOW = "Blocking/s: calls answered in time per second by blocking callers of the same"
			+ " processes; ratio: those of the load without limit by that; useful: answered in time by executed. Late:"
			+ " end after start + timeout, of the calls that ended after their timeout, in ms. Pause: the longest in a"
			+ " client process, in ms. Heaps: after a collection, before and after the load, in MiB.";

	private static final double MIB = 1024 * 1024;

	private final List<List<String>> rows = new ArrayList<>();

	private final List<String> csv = new ArrayList<>(List.of("system,server,timeout_ms,clients,load,seconds,started,"
			+ "in_time,answered_late,failed,failed_by_status,unended,executed,in_time_per_second,blocking_per_second,"
			+ "ratio,in_time_by_executed,late,over_100_ms_late,late_p999_ms,late_max_ms,longest_pause_ms,"
			+ "client_heap_before_mib,client_heap_after_mib,server_heap_before_mib,server_heap_after_mib,verdict"));

	private final List<String> verdicts = new ArrayList<>();

	void add(GoodputRow row) {
		List<String> misses = row.misses();
		String verdict = misses.isEmpty() ? "held" : "MISSED: " + String.join("; ", misses);
		this.verdicts.add(row.system() + " " + row.cell().word() + ": " + verdict);
		GoodputRow.Heaps heaps = row.heaps();
		List<String> cells = new ArrayList<>(cell(row.system(), row.cell()));
		cells.addAll(List.of(count(row.ends().started()), count(row.ends().inTime()), count(row.executed()),
				Numbers.number(row.goodput()), Numbers.number(row.reference()), Numbers.factor(row.ratio()),
				Numbers.factor(row.useful()), millis(row.lateP999Millis()), millis(row.lateMaxMillis()),
				millis(row.longestPauseMillis()), heap(heaps.clientBefore(), heaps.clientAfter()),
				heap(heaps.serverBefore(), heaps.serverAfter())));
		this.rows.add(cells);
		this.csv.add(String.join(",", csvCell(row.system(), row.cell()), csvFigures(row), quoted(verdict)));
	}

	private static String csvFigures(GoodputRow row) {
		GoodputRow.Heaps heaps = row.heaps();
		return String.join(",", String.valueOf(row.seconds()), String.valueOf(row.ends().started()),
				String.valueOf(row.ends().inTime()), String.valueOf(row.ends().answeredLate()),
				String.valueOf(row.ends().failed()), quoted(statuses(row)), String.valueOf(row.ends().unended()),
				String.valueOf(row.executed()), Csv.number(row.goodput()), Csv.number(row.reference()),
				Csv.number(row.ratio()), Csv.number(row.useful()), String.valueOf(row.ends().late()),
				String.valueOf(row.ends().veryLate()), Csv.number(row.lateP999Millis()),
				Csv.number(row.lateMaxMillis()), Csv.number(row.longestPauseMillis()),
				Csv.number(heaps.clientBefore() / MIB), Csv.number(heaps.clientAfter() / MIB),
				Csv.number(heaps.serverBefore() / MIB), Csv.number(heaps.serverAfter() / MIB));
	}

	/** A cell that a system could not be measured in. */
	void add(String system, GoodputCell cell, String why) {
		this.verdicts.add(system + " " + cell.word() + ": not measured, " + why);
		List<String> cells = new ArrayList<>(cell(system, cell));
		while (cells.size() < HEAD.size()) {
			cells.add("-");
		}
		this.rows.add(cells);
		this.csv.add(csvCell(system, cell) + ",".repeat(22) + quoted("not measured: " + why));
	}

	private static List<String> cell(String system, GoodputCell cell) {
		return List.of(system, cell.capacity().word(), String.valueOf(cell.timeout().toMillis()),
				String.valueOf(cell.clients()), cell.load());
	}

	private static String csvCell(String system, GoodputCell cell) {
		return String.join(",", cell(system, cell));
	}

	private static String quoted(String text) {
		return "\"" + text.replace('"', '\'') + "\"";
	}

	private static String statuses(GoodputRow row) {
		return row.ends()
			.failures()
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + entry.getValue())
			.sorted()
			.collect(Collectors.joining(" "));
	}

	private static String count(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	private static String millis(double value) {
		return String.format(Locale.ROOT, "%.1f", value);
	}

	private static String heap(long before, long after) {
		return String.format(Locale.ROOT, "%.1f -> %.1f", before / MIB, after / MIB);
	}

	void printHead(PrintStream out) {
		out.println(HOW);
		out.println();
		out.printf(ROW, HEAD.toArray());
		out.flush();
	}

	/**
	 * Print the cell that was added last.
	 */
	void printLast(PrintStream out) {
		out.printf(ROW, this.rows.get(this.rows.size() - 1).toArray());
		out.println("  " + this.verdicts.get(this.verdicts.size() - 1));
		out.flush();
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(
				List.of("", "## Goodput", "", HOW, "", line(HEAD), "| --- ".repeat(HEAD.size()) + "|"));
		this.rows.forEach((row) -> lines.add(line(row)));
		lines.add("");
		this.verdicts.forEach((verdict) -> lines.add("- " + verdict));
		return lines;
	}

	private static String line(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	List<String> csv() {
		return this.csv;
	}

}
