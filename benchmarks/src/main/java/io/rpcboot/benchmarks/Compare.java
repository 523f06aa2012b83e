package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares this project with its peers, prints the tables and writes them and the CSV
 * files.
 */
public final class Compare {

	private final Options options;

	private final Results results = new Results();

	private final List<PrintStream> outs;

	private final List<Report> reports;

	private final H2Report h2 = new H2Report(this.results);

	private List<String> missedBounds = List.of();

	private List<String> notMeasured = List.of();

	private Compare(Options options, List<PrintStream> outs) {
		this.options = options;
		this.outs = outs;
		this.reports = outs.stream().map((out) -> new Report(options, out)).toList();
	}

	/**
	 * Run the comparison.
	 * @param args options, see the README of this module
	 * @throws Exception if it cannot run, or at its end if a system failed or the speed
	 * gate was missed
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(Options.USAGE);
			return;
		}
		Options options = Options.parse(args);
		Path output = options.environment().output();
		Files.createDirectories(output);
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		try (PrintStream file = new PrintStream(output.resolve("report.txt").toFile(), StandardCharsets.UTF_8)) {
			Compare compare = new Compare(options, List.of(out, file));
			compare.run();
			out.println("Written to " + output);
			List<String> failures = new ArrayList<>(compare.results.failures());
			failures.addAll(compare.notMeasured);
			if (!failures.isEmpty() && options.preset() != Preset.H2) { // its tables say
																		// what failed
				throw new BenchmarkException("not measured: " + String.join("; ", failures));
			}
			if (!compare.missedBounds.isEmpty()) {
				throw new BenchmarkException("speed gate missed: " + String.join("; ", compare.missedBounds));
			}
		}
	}

	private void run() throws IOException, InterruptedException {
		if (this.options.preset() == Preset.TOY) {
			new ToyRun(this.options.toy(), this.options.environment(), this.outs).run();
			return;
		}
		long start = System.nanoTime();
		if (this.options.preset() == Preset.GOODPUT) {
			runGoodput();
			printEnd(start);
			return;
		}
		if (this.options.preset() == Preset.STREAMS) {
			runStreams();
			printEnd(start);
			return;
		}
		if (this.options.preset() == Preset.JSON) {
			runJson();
			printEnd(start);
			return;
		}
		this.reports.forEach(Report::printHead);
		for (Part part : this.options.parts()) {
			for (int fork = 0; fork < part.forks(); fork++) {
				run(part, fork);
			}
		}
		if (this.options.overload().seconds() > 0) {
			runOverload();
		}
		this.reports.forEach((report) -> report.printSystemCalls(this.results));
		if (this.options.preset().isGate()) {
			judge();
		}
		else if (this.options.preset() == Preset.PAYLOAD) {
			reportPayload();
		}
		else if (this.options.preset() == Preset.H2) {
			reportH2();
		}
		else if (this.options.preset() == Preset.TLS) {
			reportTls();
		}
		else {
			compareWithTargets();
		}
		printEnd(start);
	}

	private void printEnd(long start) {
		Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
		this.reports.forEach((report) -> report.printEnd(elapsed));
	}

	private void runGoodput() throws IOException, InterruptedException {
		this.outs.forEach((out) -> Machine.describe(this.options).forEach(out::println));
		GoodputRun run = new GoodputRun(this.options.goodput(), this.options.environment(), this.outs);
		this.notMeasured = run.run();
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(run.markdown()));
	}

	private void runStreams() throws IOException, InterruptedException {
		this.outs.forEach((out) -> Machine.describe(this.options).forEach(out::println));
		StreamsRun run = new StreamsRun(this.options.streams(), this.options.environment(), this.outs);
		this.notMeasured = run.run();
		List<TargetRow> targets = run.report().targets();
		this.reports.forEach((report) -> report.printTargets(targets));
		Files.write(output("targets.csv"), Csv.targets(targets));
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(run.report().markdown()));
	}

	private void runJson() throws IOException, InterruptedException {
		this.outs.forEach((out) -> Machine.describe(this.options).forEach(out::println));
		JsonRun run = new JsonRun(this.options.json(), this.options.environment(), this.outs);
		this.notMeasured = run.run();
		List<TargetRow> targets = run.report().targets();
		this.reports.forEach((report) -> report.printTargets(targets));
		Files.write(output("targets.csv"), Csv.targets(targets));
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(run.report().markdown()));
	}

	private void judge() throws IOException {
		Gate gate = Gate.of(this.results, this.options.parts(), this.options.gate());
		GateReport report = new GateReport(gate);
		this.outs.forEach(report::print);
		this.missedBounds = gate.misses();
		Files.write(output("gate.csv"), report.csv());
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(report.markdown()));
	}

	private void reportPayload() throws IOException {
		PayloadReport report = new PayloadReport(this.results);
		this.outs.forEach(report::print);
		Files.write(output("payload.csv"), report.csv());
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(report.markdown()));
	}

	private void reportH2() throws IOException, InterruptedException {
		if (this.options.h2load()) {
			runH2Load();
		}
		this.outs.forEach(this.h2::print);
		this.reports.forEach((report) -> report.printTargets(this.h2.targets()));
		Files.write(output("wire.csv"), this.h2.csv());
		Files.write(output("h2load.csv"), this.h2.loadCsv());
		Files.write(output("targets.csv"), Csv.targets(this.h2.targets()));
		Files.write(output("tables.md"), this.h2.tables());
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(this.h2.markdown()));
	}

	private void runH2Load() throws IOException, InterruptedException {
		if (!H2Load.isThere()) {
			this.h2.setWithoutLoad("Nothing under h2load: the tool is not installed (Debian: nghttp2-client).");
			return;
		}
		try {
			this.h2.setLoad(new H2Load(this.options.environment()).run());
		}
		catch (BenchmarkException ex) {
			this.h2.setWithoutLoad("Nothing under h2load: " + ex.getMessage());
		}
	}

	private void reportTls() throws IOException, InterruptedException {
		TlsCosts costs = new TlsCosts(this.options.environment());
		if (this.options.tlsCosts()) {
			costs.run(TlsPart.SYSTEMS, TlsPart.scenarios());
		}
		TlsReport report = new TlsReport(this.results, costs.rows(), costs.wires());
		this.outs.forEach(report::print);
		this.reports.forEach((each) -> each.printTargets(report.targets()));
		Files.write(output("tls.csv"), report.csv());
		Files.write(output("wire.csv"), report.wireCsv());
		Files.write(output("targets.csv"), Csv.targets(report.targets()));
		Files.write(output("tables.md"), report.tables());
		Files.write(output("report.md"), new MarkdownReport(this.options, this.results).lines(report.markdown()));
	}

	private void compareWithTargets() throws IOException {
		List<TargetRow> targets = Targets.of(this.results);
		this.reports.forEach((report) -> report.printTargets(targets));
		Files.write(output("targets.csv"), Csv.targets(targets));
		MarkdownReport page = new MarkdownReport(this.options, this.results);
		Files.write(output("report.md"), page.lines(MarkdownReport.targets(targets)));
	}

	private void run(Part part, int fork) throws IOException, InterruptedException {
		try (Comparison comparison = new Comparison(part, this.options.environment(), fork)) {
			comparison.start();
			comparison.prepare();
			for (Scenario scenario : part.scenarios()) {
				add(comparison.run(scenario));
				if (this.options.preset() == Preset.H2 && fork == 0) {
					this.h2.addWire(part, scenario, comparison.countWire(scenario));
				}
			}
			for (Scenario scenario : part.latencies()) {
				int rate = rate(part, scenario);
				if (rate > 0) {
					add(comparison.run(new Scenario(scenario.call(), scenario.load().atRate(rate))));
				}
			}
			for (Scenario scenario : part.systemCalls()) {
				this.results.addSystemCalls(scenario, comparison.countSystemCalls(scenario, new SystemCalls()));
			}
			Files.write(output("system-calls.csv"), Csv.systemCalls(this.results));
		}
	}

	/** Half of what the slowest system has reached; 0 if there is none. */
	private int rate(Part part, Scenario scenario) {
		return this.results.of(part.name())
			.filter((each) -> each.scenario().equals(scenario))
			.mapToInt((each) -> (int) (each.slowest() / 2))
			.findFirst()
			.orElse(0);
	}

	private void add(ScenarioResult result) throws IOException {
		this.results.add(result);
		this.reports.forEach((report) -> report.print(result));
		Files.write(output("turns.csv"), Csv.turns(this.results));
		Files.write(output("ratios.csv"), Csv.ratios(this.results));
	}

	private void runOverload() throws IOException, InterruptedException {
		try {
			OverloadRun.Outcome outcome = new OverloadRun(this.options.overload(), this.options.environment()).run();
			this.results.setOverload(outcome);
			this.reports.forEach((report) -> report.printOverload(outcome));
		}
		catch (BenchmarkException ex) {
			this.results.setOverloadFailure(String.valueOf(ex.getMessage()));
		}
	}

	private Path output(String file) {
		return this.options.environment().output().resolve(file);
	}

}
