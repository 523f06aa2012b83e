package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The speed gate as text, as a page and as comma-separated values.
 */
final class GateReport {

	private static final String ROW = "%-24s %-22s %7s %17s %14s %14s %9s %s%n";

	private final Gate gate;

	GateReport(Gate gate) {
		this.gate = gate;
	}

	void print(PrintStream out) {
		out.println();
		out.println("Speed gate: calls/s of this build by those of the older one. Of each fork the median over its"
				+ " rounds; of these median [least-greatest]. Allocated bytes are of one call, client + server.");
		out.printf(ROW, "systems", "cell", "ratio", "forks", "alloc after", "before", "more", "");
		for (Gate.Cell cell : this.gate.cells()) {
			out.printf(ROW, cell.after() + "/" + cell.before(), cell.scenario(), ratio(cell.ratio().median()),
					"[" + ratio(cell.ratio().min()) + "-" + ratio(cell.ratio().max()) + "]",
					bytes(cell.allocatedAfter()), bytes(cell.allocatedBefore()),
					String.format(Locale.ROOT, "%+.1f", cell.allocatedAfter() - cell.allocatedBefore()),
					cell.isBelow(this.gate.bounds().cell()) ? "MISSED" : "");
		}
		verdict().forEach(out::println);
		out.println();
		out.flush();
	}

	private List<String> verdict() {
		List<String> lines = new ArrayList<>();
		long below = this.gate.cells().stream().filter((cell) -> cell.isBelow(this.gate.bounds().cell())).count();
		lines.add(String.format(Locale.ROOT, "geometric mean of %d cells: %s (expected: at least %s)",
				this.gate.cells().size(), ratio(this.gate.mean()), ratio(this.gate.bounds().mean())));
		lines.add(String.format(Locale.ROOT, "cells whose whole range lies below %s: %d (expected: none)",
				ratio(this.gate.bounds().cell()), below));
		List<String> misses = this.gate.misses();
		lines.add("speed gate: " + (misses.isEmpty() ? "passed" : "MISSED"));
		misses.forEach((miss) -> lines.add("  " + miss));
		return lines;
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(List.of("", "## Speed gate", "",
				"Calls per second of this build by those of the older one: the median over the rounds of each fork, and"
						+ " of these median [least-greatest]. Allocated bytes are of one call, client + server.",
				"", "| systems | cell | ratio | alloc after | before |", "| --- | --- | --- | --- | --- |"));
		for (Gate.Cell cell : this.gate.cells()) {
			lines.add("| " + cell.after() + "/" + cell.before() + " | " + cell.scenario() + " | "
					+ ratio(cell.ratio().median()) + " [" + ratio(cell.ratio().min()) + "-" + ratio(cell.ratio().max())
					+ "] | " + bytes(cell.allocatedAfter()) + " | " + bytes(cell.allocatedBefore()) + " |");
		}
		lines.add("");
		verdict().forEach((line) -> lines.add("- " + line.trim()));
		return lines;
	}

	List<String> csv() {
		List<String> lines = new ArrayList<>();
		lines.add("after,before,cell,min,median,max,allocated_after,allocated_before");
		for (Gate.Cell cell : this.gate.cells()) {
			lines.add(String.join(",", cell.after(), cell.before(), cell.scenario().toString(),
					Csv.number(cell.ratio().min()), Csv.number(cell.ratio().median()), Csv.number(cell.ratio().max()),
					Csv.number(cell.allocatedAfter()), Csv.number(cell.allocatedBefore())));
		}
		return lines;
	}

	/** One digit more than elsewhere: the bounds have two. */
	private static String ratio(double value) {
		return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3f", value);
	}

	private static String bytes(double value) {
		return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,.1f", value);
	}

}
