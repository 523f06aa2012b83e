package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.streams.Direction;
import io.rpcboot.benchmarks.streams.StreamSystem;

/**
 * Cost of an element by direction, number of streams, size and system: as text, as a page
 * and as comma-separated values.
 */
final class StreamsReport {

	private static final String ROW = "%-30s %-13s %30s %8s %20s %20s %20s %15s %15s%n";

	private static final List<String> HEAD = List.of("cell", "system", "elements/s", "MB/s", "of grpc-direct",
			"of rsocket", "of socket", "CPU ns", "alloc B");

	private static final String HOW = "elements/s are medians of the turns [least-greatest], ratios the medians of those"
			+ " within each round. CPU and allocated bytes are of one element, client + server. \"both ways\" counts an"
			+ " element once, when it is back. An element of the file is 64 KB. x-to-y is x's client with y's server.";

	private static final List<String> PEERS = List.of("grpc-direct", "rsocket", "socket");

	private static final double MICRO_TO_NANO = 1e3;

	private final StreamsOptions options;

	private final Turns<StreamCell> turns;

	StreamsReport(StreamsOptions options) {
		this.options = options;
		this.turns = new Turns<>(options.cells(), options.systems());
	}

	void add(StreamCell cell, String system, Turn turn) {
		this.turns.of(cell, system).add(turn);
	}

	/** Drops the turns of a system that has failed. */
	void remove(StreamCell cell, String system) {
		this.turns.of(cell, system).clear();
	}

	void printSettings(PrintStream out) {
		settings().forEach(out::println);
		out.flush();
	}

	private List<String> settings() {
		return this.options.systems().stream().map((name) -> name + ": " + StreamSystem.of(name).settings()).toList();
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

	private List<String> row(StreamCell cell, String system, List<Turn> list) {
		Spread rate = Spread.of(list, Measure.THROUGHPUT);
		List<String> row = new ArrayList<>(
				List.of(cell.toString(), system,
						Numbers.number(rate.median()) + " [" + Numbers.number(rate.min()) + "-"
								+ Numbers.number(rate.max()) + "]",
						Numbers.number(rate.median() * cell.bytes() / 1e6)));
		PEERS.forEach((peer) -> row.add(peer.equals(system) ? "-" : Numbers.ratio(speed(cell, system, peer))));
		row.add(both(list, Measure.CLIENT_CPU, Measure.SERVER_CPU, MICRO_TO_NANO));
		row.add(both(list, Measure.CLIENT_ALLOCATED, Measure.SERVER_ALLOCATED, 1));
		return row;
	}

	private Spread speed(StreamCell cell, String system, String peer) {
		return this.turns.ratio(cell, system, peer, Measure.THROUGHPUT);
	}

	private static String both(List<Turn> list, Measure client, Measure server, double factor) {
		return Numbers.number(Spread.of(list, client).median() * factor) + " + "
				+ Numbers.number(Spread.of(list, server).median() * factor);
	}

	/** Rows of the targets, each with the worst of its cells. */
	List<TargetRow> targets() {
		List<TargetRow> rows = new ArrayList<>();
		for (int bytes : this.options.sizes()) {
			double target = (bytes <= 100) ? 2 : 1.2;
			rows.add(new TargetRow("elements/s of " + bytes + " B, of the better peer", TargetRow.Bound.AT_LEAST,
					target, slowest("ours-loop", bytes), target, slowest("ours", bytes)));
		}
		rows.add(new TargetRow("InputStream of 1 GB, of a socket", TargetRow.Bound.AT_LEAST, Double.NaN,
				TargetRow.Figure.NONE, 0.6, TargetRow.Figure.of(speed(StreamCell.FILE, "ours", "socket").median())));
		rows.add(cpu("our server's CPU, of grpc-java's client", "grpc-to-ours", Measure.SERVER_CPU, "grpc-to-ours",
				Measure.CLIENT_CPU));
		rows.add(cpu("our client's CPU, of grpc-java's server", "ours-to-grpc", Measure.CLIENT_CPU, "ours-to-grpc",
				Measure.SERVER_CPU));
		rows.add(cpu("our server's CPU, of grpc-java's server", "grpc-to-ours", Measure.SERVER_CPU, "grpc-direct",
				Measure.SERVER_CPU));
		rows.add(cpu("our client's CPU, of grpc-java's client", "ours-to-grpc", Measure.CLIENT_CPU, "grpc-direct",
				Measure.CLIENT_CPU));
		return rows;
	}

	private TargetRow.Figure slowest(String system, int bytes) {
		TargetRow.Figure worst = TargetRow.Figure.NONE;
		for (StreamCell cell : this.turns.cells()) {
			if (cell.direction() != Direction.BYTES && cell.bytes() == bytes) {
				for (String peer : List.of("grpc-direct", "rsocket")) {
					double ratio = speed(cell, system, peer).median();
					if (!Double.isNaN(ratio) && !(ratio >= worst.value())) {
						worst = new TargetRow.Figure(ratio, peer + ", " + cell);
					}
				}
			}
		}
		return worst;
	}

	private TargetRow cpu(String name, String system, Measure side, String peer, Measure peerSide) {
		TargetRow.Figure worst = TargetRow.Figure.NONE;
		for (StreamCell cell : this.turns.cells()) {
			List<Turn> own = this.turns.of(cell, system);
			List<Turn> others = this.turns.of(cell, peer);
			double[] ratios = new double[Math.min(own.size(), others.size())];
			for (int i = 0; i < ratios.length; i++) {
				ratios[i] = own.get(i).value(side) / others.get(i).value(peerSide);
			}
			double ratio = Spread.of(ratios).median();
			if (!Double.isNaN(ratio) && !(ratio <= worst.value())) {
				worst = new TargetRow.Figure(ratio, cell.toString());
			}
		}
		return new TargetRow(name, TargetRow.Bound.AT_MOST, 0.5, worst, Double.NaN, TargetRow.Figure.NONE);
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(List.of("", "## Streams", "", HOW, ""));
		settings().forEach((line) -> lines.add("- " + line));
		lines.addAll(List.of("", line(HEAD), "| --- ".repeat(HEAD.size()) + "|"));
		rows().forEach((row) -> lines.add(line(row)));
		lines.addAll(MarkdownReport.targets(targets()));
		return lines;
	}

	private static String line(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	/** Every turn. */
	List<String> csv() {
		List<String> lines = new ArrayList<>(List.of("direction,streams,bytes,system,turn,elements,elements_per_second,"
				+ "client_cpu_nanos,server_cpu_nanos,client_allocated,server_allocated"));
		this.turns.forEach((cell, system, list) -> {
			for (int i = 0; i < list.size(); i++) {
				Turn turn = list.get(i);
				lines.add(String.join(",", cell.direction().word(), String.valueOf(cell.streams()),
						String.valueOf(cell.bytes()), system, String.valueOf(i), String.valueOf(turn.calls()),
						Csv.number(turn.value(Measure.THROUGHPUT)),
						Csv.number(turn.value(Measure.CLIENT_CPU) * MICRO_TO_NANO),
						Csv.number(turn.value(Measure.SERVER_CPU) * MICRO_TO_NANO),
						Csv.number(turn.value(Measure.CLIENT_ALLOCATED)),
						Csv.number(turn.value(Measure.SERVER_ALLOCATED))));
			}
		});
		return lines;
	}

}
