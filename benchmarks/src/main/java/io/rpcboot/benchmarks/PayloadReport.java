package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What bodies of each size cost, as text, as a page and as comma-separated values.
 */
final class PayloadReport {

	private static final String ROW = "%-28s %-14s %10s %9s %10s %20s %20s %18s%n";

	private static final List<String> HEAD = List.of("cell", "system", "calls/s", "MB/s", "CPU us", "client alloc B",
			"server alloc B", "ours of it");

	private static final String HOW = "Medians of the rounds. MB/s (a million bytes) are of each way. CPU is of one"
			+ " call, client + server; allocated bytes are of one call, in brackets in multiples of the body. \"ours of it\" is"
			+ " ours by this system in calls/s: the median of the ratios within each round [least-greatest].";

	private final List<List<String>> rows = new ArrayList<>();

	private final List<String> csv = new ArrayList<>();

	PayloadReport(Results results) {
		this.csv.add("cell,body_bytes,system,calls_per_second,megabytes_per_second,cpu_micros,client_allocated,"
				+ "server_allocated,ours_min,ours_median,ours_max");
		results.of(Part.PAYLOAD).forEach((result) -> result.turns().forEach((system, turns) -> add(result, system)));
	}

	private void add(ScenarioResult result, String system) {
		int body = result.scenario().load().bodyBytes();
		double calls = result.median(system, Measure.THROUGHPUT);
		double megabytes = megabytesPerSecond(calls, body);
		double cpu = result.median(system, Measure.CPU);
		double client = result.median(system, Measure.CLIENT_ALLOCATED);
		double server = result.median(system, Measure.SERVER_ALLOCATED);
		Spread ratio = ratio(result, system);
		this.rows.add(List.of(result.scenario().toString(), system, Numbers.number(calls), Numbers.number(megabytes),
				Numbers.number(cpu), allocated(client, body), allocated(server, body), Numbers.ratio(ratio)));
		this.csv.add(String.join(",", result.scenario().toString(), String.valueOf(body), system, Csv.number(calls),
				Csv.number(megabytes), Csv.number(cpu), Csv.number(client), Csv.number(server), Csv.number(ratio.min()),
				Csv.number(ratio.median()), Csv.number(ratio.max())));
	}

	static double megabytesPerSecond(double callsPerSecond, int bodyBytes) {
		return callsPerSecond * bodyBytes / 1e6;
	}

	/** Of the first system to this one; of itself there is none. */
	private static Spread ratio(ScenarioResult result, String system) {
		String ours = result.turns().keySet().iterator().next();
		if (system.equals(ours)) {
			return Spread.of();
		}
		return Spread.ofRatios(result.turns().getOrDefault(ours, List.of()),
				result.turns().getOrDefault(system, List.of()), Measure.THROUGHPUT);
	}

	private static String allocated(double bytes, int body) {
		return Numbers.number(bytes) + String.format(Locale.ROOT, " (%.2f)", bytes / body);
	}

	void print(PrintStream out) {
		out.println();
		out.println(HOW);
		out.printf(ROW, HEAD.toArray());
		this.rows.forEach((row) -> out.printf(ROW, row.toArray()));
		out.println();
		out.flush();
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(
				List.of("", "## Bodies", "", HOW, "", line(HEAD), "| --- ".repeat(HEAD.size()) + "|"));
		this.rows.forEach((row) -> lines.add(line(row)));
		return lines;
	}

	private static String line(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	List<String> csv() {
		return this.csv;
	}

}
