package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls of JSON by server: as text, as a page and as comma-separated values.
 */
final class JsonReport {

	private static final String ROW = "%-34s %-15s %28s %19s %19s %22s %10s%n";

	private static final List<String> HEAD = List.of("cell", "system", "calls/s", "of webmvc", "of netty-http",
			"CPU us", "alloc B");

	private static final String HOW = "calls/s are medians of the turns [least-greatest], ratios the medians of those"
			+ " within each round. CPU and allocated bytes are the server's of one call, of all its threads. Every answer"
			+ " had status 2xx and the length of the same JSON.";

	private static final String MVC = "webmvc";

	private static final List<String> PEERS = List.of(MVC, "netty-http");

	private final Turns<JsonCell> turns;

	JsonReport(JsonOptions options) {
		this.turns = new Turns<>(JsonCell.ALL, options.systems());
	}

	void add(JsonCell cell, String system, Turn turn) {
		this.turns.of(cell, system).add(turn);
	}

	/** Drops the turns of a system that has failed. */
	void remove(JsonCell cell, String system) {
		this.turns.of(cell, system).clear();
	}

	void print(PrintStream out) {
		out.println();
		out.println(HOW);
		out.printf(ROW, HEAD.toArray());
		rows().forEach((row) -> out.printf(ROW, row.toArray()));
		out.flush();
	}

	private List<List<String>> rows() {
		List<List<String>> rows = new ArrayList<>();
		this.turns.forEach((cell, system, list) -> rows.add(row(cell, system, list)));
		return rows;
	}

	private List<String> row(JsonCell cell, String system, List<Turn> list) {
		List<String> row = new ArrayList<>(
				List.of(cell.toString(), system, range(Spread.of(list, Measure.THROUGHPUT))));
		PEERS.forEach((peer) -> row
			.add(peer.equals(system) ? "-" : Numbers.ratio(ratio(cell, system, peer, Measure.THROUGHPUT))));
		row.add(range(Spread.of(list, Measure.SERVER_CPU)));
		row.add(Numbers.number(Spread.of(list, Measure.SERVER_ALLOCATED).median()));
		return row;
	}

	private static String range(Spread spread) {
		return Numbers.number(spread.median()) + " [" + Numbers.number(spread.min()) + "-"
				+ Numbers.number(spread.max()) + "]";
	}

	private Spread ratio(JsonCell cell, String system, String peer, Measure measure) {
		return this.turns.ratio(cell, system, peer, measure);
	}

	/** Rows of the targets, each with the worst of its cells. */
	List<TargetRow> targets() {
		return List.of(
				new TargetRow("JSON calls/s, of Spring MVC", TargetRow.Bound.AT_LEAST, 2,
						worst("ours-http-loop", Measure.THROUGHPUT, 1), 2, worst("ours-http", Measure.THROUGHPUT, 1)),
				new TargetRow("JSON CPU of a call, of Spring MVC", TargetRow.Bound.AT_MOST, 0.5,
						worst("ours-http-loop", Measure.SERVER_CPU, -1), 0.5,
						worst("ours-http", Measure.SERVER_CPU, -1)));
	}

	/**
	 * The worst cell.
	 * @param sign 1 if a greater figure is better, -1 if a smaller one is
	 */
	private TargetRow.Figure worst(String system, Measure measure, int sign) {
		TargetRow.Figure worst = TargetRow.Figure.NONE;
		for (JsonCell cell : JsonCell.ALL) {
			double figure = ratio(cell, system, MVC, measure).median();
			if (!Double.isNaN(figure) && !(sign * figure >= sign * worst.value())) {
				worst = new TargetRow.Figure(figure, cell.toString());
			}
		}
		return worst;
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(
				List.of("", "## JSON", "", HOW, "", line(HEAD), "| --- ".repeat(HEAD.size()) + "|"));
		rows().forEach((row) -> lines.add(line(row)));
		lines.addAll(MarkdownReport.targets(targets()));
		return lines;
	}

	private static String line(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	/** Every turn. */
	List<String> csv() {
		List<String> lines = new ArrayList<>(
				List.of("method,protocol,system,turn,calls,calls_per_second,server_cpu_micros,server_allocated"));
		this.turns.forEach((cell, system, list) -> {
			for (int i = 0; i < list.size(); i++) {
				Turn turn = list.get(i);
				lines.add(String.join(",", cell.method(), cell.http2() ? "h2" : "http/1.1", system, String.valueOf(i),
						String.valueOf(turn.calls()), Csv.number(turn.value(Measure.THROUGHPUT)),
						Csv.number(turn.value(Measure.SERVER_CPU)), Csv.number(turn.value(Measure.SERVER_ALLOCATED))));
			}
		});
		return lines;
	}

}
