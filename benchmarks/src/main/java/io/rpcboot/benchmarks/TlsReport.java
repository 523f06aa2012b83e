package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.rpcboot.benchmarks.TargetRow.Bound;
import io.rpcboot.benchmarks.TargetRow.Figure;

/**
 * Report of the costs of TLS, ours and grpc-java: tables, targets and comma-separated
 * values.
 */
final class TlsReport {

	private static final double SMALL_TARGET = 3;

	private static final double LARGE_TARGET = 1;

	private static final double CLEAR_TARGET = 0.6;

	private static final List<String> CALLS = List.of("cell", "engine", "ours", "of ours clear", "CPU us", "grpc-java",
			"of grpc-java clear", "CPU us", "ours of grpc-java");

	private static final String CALLS_HOW = "Calls/s over mutual TLS 1.3, medians of the rounds; ratios are the medians of"
			+ " those within each round [least-greatest]. CPU is of one call, client + server.";

	private static final List<String> CONNECTIONS = List.of("server", "handshakes/s", "CPU us of one", "heap B",
			"other B");

	private static final String CONNECTIONS_HOW = "Full handshakes of a second by 8 connections at a time, and processor time"
			+ " of the server for one (client and server share the machine). Memory of a connection that does nothing:"
			+ " heap after a collection, and all resident memory outside of it.";

	private static final List<String> WIRES = List.of("cell", "system", "bytes", "records", "bytes a record");

	private static final String WIRES_HOW = "Of one call, request + response, through a process that counts.";

	private final Results results;

	private final List<TlsCosts.Row> rows;

	private final List<TlsCosts.Wire> wires;

	TlsReport(Results results, List<TlsCosts.Row> rows, List<TlsCosts.Wire> wires) {
		this.results = results;
		this.rows = rows;
		this.wires = wires;
	}

	List<TargetRow> targets() {
		List<TargetRow> targets = new ArrayList<>();
		for (String engine : TlsPart.ENGINES) {
			for (Scenario scenario : TlsPart.scenarios()) {
				double target = scenario.equals(TlsPart.LARGE) ? LARGE_TARGET : SMALL_TARGET;
				add(targets, "calls/s with " + engine + ", of grpc-java with the same, " + scenario, target, scenario,
						TlsPart.ours(engine), TlsPart.grpc(engine));
			}
		}
		TlsPart.SMALL.forEach((scenario) -> add(targets, "calls/s with openssl, of clear text, " + scenario,
				CLEAR_TARGET, scenario, TlsPart.ours(TlsPart.OPENSSL), "ours"));
		return targets;
	}

	private void add(List<TargetRow> targets, String cell, double target, Scenario scenario, String system,
			String peer) {
		Spread ratio = result(scenario).map((each) -> ratio(each, system, peer)).orElse(Spread.of());
		Figure figure = Double.isNaN(ratio.median()) ? Figure.NONE
				: new Figure(ratio.median(), Numbers.factor(ratio.min()) + "-" + Numbers.factor(ratio.max()));
		targets.add(new TargetRow(cell, Bound.AT_LEAST, Double.NaN, Figure.NONE, target, figure));
	}

	private Optional<ScenarioResult> result(Scenario scenario) {
		return this.results.of(TlsPart.NAME).filter((each) -> each.scenario().equals(scenario)).findFirst();
	}

	private static Spread ratio(ScenarioResult result, String system, String peer) {
		return Spread.ofRatios(result.turns().getOrDefault(system, List.of()),
				result.turns().getOrDefault(peer, List.of()), Measure.THROUGHPUT);
	}

	private List<List<String>> calls() {
		List<List<String>> calls = new ArrayList<>();
		this.results.of(TlsPart.NAME).forEach((result) -> {
			calls.add(row(result, "clear", "ours", "grpc"));
			TlsPart.ENGINES
				.forEach((engine) -> calls.add(row(result, engine, TlsPart.ours(engine), TlsPart.grpc(engine))));
		});
		return calls;
	}

	private static List<String> row(ScenarioResult result, String engine, String ours, String grpc) {
		return List.of(result.scenario().toString(), engine, Numbers.number(result.median(ours, Measure.THROUGHPUT)),
				ofClear(result, ours, "ours"), H2Tables.both(result, ours, Measure.CLIENT_CPU, Measure.SERVER_CPU),
				Numbers.number(result.median(grpc, Measure.THROUGHPUT)), ofClear(result, grpc, "grpc"),
				H2Tables.both(result, grpc, Measure.CLIENT_CPU, Measure.SERVER_CPU),
				Numbers.ratio(ratio(result, ours, grpc)));
	}

	private static String ofClear(ScenarioResult result, String system, String clear) {
		return system.equals(clear) ? "" : Numbers.ratio(ratio(result, system, clear));
	}

	private List<List<String>> connections() {
		return this.rows.stream()
			.map((row) -> List.of(row.system(), Numbers.number(row.handshakes().median()),
					Numbers.number(row.cpuMicros().median()), Numbers.number(row.heapBytes()),
					Numbers.number(row.otherBytes())))
			.toList();
	}

	private List<List<String>> wireRows() {
		return this.wires.stream()
			.map((wire) -> List.of(wire.scenario().toString(), wire.system(),
					pair(wire.perCall().requestBytes(), wire.perCall().responseBytes()),
					records(wire, wire.perCall().requestRecords(), wire.perCall().responseRecords()),
					records(wire, wire.perCall().requestBytes() / wire.perCall().requestRecords(),
							wire.perCall().responseBytes() / wire.perCall().responseRecords())))
			.toList();
	}

	private static String records(TlsCosts.Wire wire, double request, double response) {
		return MeasuredSystem.isTls(wire.system()) ? pair(request, response) : "";
	}

	private static String pair(double request, double response) {
		return Numbers.number(request) + " + " + Numbers.number(response);
	}

	void print(PrintStream out) {
		tables().forEach(out::println);
		out.flush();
	}

	/** The tables, to be pasted into the page performance.md of the documentation. */
	List<String> tables() {
		List<String> lines = new ArrayList<>();
		addTable(lines, CALLS_HOW, CALLS, calls());
		addTable(lines, CONNECTIONS_HOW, CONNECTIONS, connections());
		addTable(lines, WIRES_HOW, WIRES, wireRows());
		return lines;
	}

	private static void addTable(List<String> lines, String how, List<String> head, List<List<String>> rows) {
		if (rows.isEmpty()) {
			return;
		}
		lines.addAll(List.of("", how, "", line(head), "| --- ".repeat(head.size()) + "|"));
		rows.forEach((row) -> lines.add(line(row)));
	}

	private static String line(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(List.of("", "## TLS"));
		lines.addAll(tables());
		lines.addAll(MarkdownReport.targets(targets()));
		return lines;
	}

	List<String> csv() {
		List<String> lines = new ArrayList<>(List.of("server,handshakes_per_second,cpu_micros,heap_bytes,other_bytes"));
		this.rows.forEach((row) -> lines.add(String.join(",", row.system(), Csv.number(row.handshakes().median()),
				Csv.number(row.cpuMicros().median()), Csv.number(row.heapBytes()), Csv.number(row.otherBytes()))));
		return lines;
	}

	List<String> wireCsv() {
		List<String> lines = new ArrayList<>(
				List.of("cell,system,request_bytes,request_records,response_bytes,response_records"));
		this.wires.forEach((wire) -> lines.add(String.join(",", wire.scenario().toString(), wire.system(),
				Csv.number(wire.perCall().requestBytes()), Csv.number(wire.perCall().requestRecords()),
				Csv.number(wire.perCall().responseBytes()), Csv.number(wire.perCall().responseRecords()))));
		return lines;
	}

}
