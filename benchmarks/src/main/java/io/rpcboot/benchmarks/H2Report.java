package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cost of a call over HTTP/2 and over the native protocol, by whose client and server: as
 * text, as a page and as comma-separated values.
 */
final class H2Report {

	private static final String ROW = "%-10s %-30s %-19s %24s %19s %19s %15s %15s %18s%n";

	private static final List<String> HEAD = List.of("part", "cell", "system", "calls/s", "of grpc-java", "of native",
			"CPU us", "alloc B", "wire");

	private static final String HOW = "calls/s are medians of the rounds [least-greatest], ratios the medians of those"
			+ " within each round. CPU, allocated bytes and the wire are of one call: client + server, on the wire request"
			+ " + response without the headers of TCP, and segments with data. x-to-y is x's client with y's server.";

	private static final String LOAD_ROW = "%-19s %24s %10s %10s%n";

	private static final List<String> LOAD_HEAD = List.of("server", "calls/s", "CPU us", "alloc B");

	private static final String LOAD_HOW = "h2load, one connection, 1,024 streams: medians of the rounds; CPU and allocated"
			+ " bytes are the server's of one call.";

	private static final List<String> NATIVE = List.of("ours", "ours-loop");

	private static final List<String> GRPC = List.of("grpc", "grpc-direct");

	private final Results results;

	private final Map<String, WireBytes> wire = new HashMap<>();

	private List<H2Load.Row> load = List.of();

	private String withoutLoad = "";

	H2Report(Results results) {
		this.results = results;
	}

	void addWire(Part part, Scenario scenario, Map<String, WireBytes> counts) {
		counts.forEach((system, count) -> this.wire.put(key(part.name(), scenario, system), count));
	}

	void setLoad(List<H2Load.Row> rows) {
		this.load = rows;
	}

	/** Says why there is nothing of h2load. */
	void setWithoutLoad(String why) {
		this.withoutLoad = why;
	}

	List<TargetRow> targets() {
		return H2Targets.of(this.results, this.load);
	}

	private static String key(String part, Scenario scenario, String system) {
		return part + " " + scenario + " " + system;
	}

	private List<List<String>> rows() {
		List<List<String>> rows = new ArrayList<>();
		for (ScenarioResult result : this.results.all()) {
			result.turns().keySet().forEach((system) -> rows.add(row(result, system)));
			result.failures()
				.keySet()
				.forEach((system) -> rows.add(List.of(result.part(), result.scenario().toString(), system, "failed",
						"-", "-", "-", "-", "-")));
		}
		return rows;
	}

	private List<String> row(ScenarioResult result, String system) {
		Spread calls = Spread.of(turns(result, system), Measure.THROUGHPUT);
		return List.of(result.part(), result.scenario().toString(), system, range(calls), ratio(result, system, GRPC),
				ratio(result, system, NATIVE), H2Tables.both(result, system, Measure.CLIENT_CPU, Measure.SERVER_CPU),
				H2Tables.both(result, system, Measure.CLIENT_ALLOCATED, Measure.SERVER_ALLOCATED),
				this.wire.getOrDefault(key(result.part(), result.scenario(), system), WireBytes.NONE).text());
	}

	private static List<Turn> turns(ScenarioResult result, String system) {
		return result.turns().getOrDefault(system, List.of());
	}

	private static String range(Spread spread) {
		return Numbers.number(spread.median()) + " [" + Numbers.number(spread.min()) + "-"
				+ Numbers.number(spread.max()) + "]";
	}

	/** To the one of the peers that took part. */
	private static String ratio(ScenarioResult result, String system, List<String> peers) {
		return peers.stream()
			.filter((peer) -> result.turns().containsKey(peer) && !peer.equals(system))
			.findFirst()
			.map((peer) -> Numbers
				.ratio(Spread.ofRatios(turns(result, system), turns(result, peer), Measure.THROUGHPUT)))
			.orElse("-");
	}

	private List<List<String>> loadRows() {
		List<List<String>> rows = new ArrayList<>();
		for (String system : this.load.stream().map(H2Load.Row::system).distinct().toList()) {
			List<H2Load.Row> own = this.load.stream().filter((row) -> row.system().equals(system)).toList();
			rows.add(List.of(system, range(Spread.of(own.stream().mapToDouble(H2Load.Row::callsPerSecond).toArray())),
					Numbers.number(Spread.of(own.stream().mapToDouble(H2Load.Row::cpuMicros).toArray()).median()),
					Numbers.number(Spread.of(own.stream().mapToDouble(H2Load.Row::allocated).toArray()).median())));
		}
		return rows;
	}

	void print(PrintStream out) {
		out.println();
		out.println(HOW);
		out.printf(ROW, HEAD.toArray());
		rows().forEach((row) -> out.printf(ROW, row.toArray()));
		out.println();
		if (this.load.isEmpty()) {
			out.println(this.withoutLoad);
		}
		else {
			out.println(LOAD_HOW);
			out.printf(LOAD_ROW, LOAD_HEAD.toArray());
			loadRows().forEach((row) -> out.printf(LOAD_ROW, row.toArray()));
		}
		out.flush();
	}

	/** The short tables. */
	List<String> tables() {
		return H2Tables.of(this.results,
				(part, scenario, system) -> this.wire.getOrDefault(key(part, scenario, system), WireBytes.NONE));
	}

	List<String> markdown() {
		List<String> lines = new ArrayList<>(List.of("", "## gRPC over HTTP/2", "", HOW));
		lines.addAll(tables());
		lines.addAll(List.of("", "Every cell:", ""));
		addTable(lines, HEAD, rows());
		lines.addAll(List.of("", "## Under h2load", "", this.load.isEmpty() ? this.withoutLoad : LOAD_HOW, ""));
		if (!this.load.isEmpty()) {
			addTable(lines, LOAD_HEAD, loadRows());
		}
		lines.addAll(MarkdownReport.targets(targets()));
		return lines;
	}

	private static void addTable(List<String> lines, List<String> head, List<List<String>> rows) {
		lines.add(line(head));
		lines.add("| --- ".repeat(head.size()) + "|");
		rows.forEach((row) -> lines.add(line(row)));
	}

	private static String line(List<String> cells) {
		return "| " + String.join(" | ", cells) + " |";
	}

	/** Bytes and segments on the wire; everything else is in the CSV of the turns. */
	List<String> csv() {
		List<String> lines = new ArrayList<>(List.of("part,cell,system,request_bytes,response_bytes,segments"));
		for (ScenarioResult result : this.results.all()) {
			result.turns().keySet().forEach((system) -> {
				WireBytes count = this.wire.get(key(result.part(), result.scenario(), system));
				if (count != null) {
					lines.add(String.join(",", result.part(), result.scenario().toString(), system,
							Csv.number(count.request()), Csv.number(count.response()), Csv.number(count.segments())));
				}
			});
		}
		return lines;
	}

	List<String> loadCsv() {
		List<String> lines = new ArrayList<>(List.of("server,calls_per_second,cpu_micros,allocated"));
		this.load.forEach((row) -> lines.add(String.join(",", row.system(), Csv.number(row.callsPerSecond()),
				Csv.number(row.cpuMicros()), Csv.number(row.allocated()))));
		return lines;
	}

}
