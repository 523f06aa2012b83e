package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares this project with its peers, prints the table and writes it and the CSV files.
 */
public final class Compare {

	private Compare() {
	}

	/**
	 * Run the comparison.
	 * @param args options, see the README of this module
	 * @throws Exception if it cannot run, or at its end if a system failed
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(Options.USAGE);
			return;
		}
		Options options = Options.parse(args);
		Files.createDirectories(options.output());
		List<ScenarioResult> results = new ArrayList<>();
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		try (PrintStream file = new PrintStream(options.output().resolve("report.txt").toFile(),
				StandardCharsets.UTF_8); Comparison comparison = new Comparison(options)) {
			List<Report> reports = List.of(new Report(options, out), new Report(options, file));
			reports.forEach(Report::printHead);
			comparison.start();
			comparison.prepare();
			for (Scenario scenario : options.scenarios()) {
				ScenarioResult result = comparison.run(scenario);
				results.add(result);
				reports.forEach((report) -> report.print(result));
				writeCsv(options, results);
			}
			reports.forEach((report) -> report.printSummary(results));
		}
		out.println("Written to " + options.output());
		List<String> failures = failures(results);
		if (!failures.isEmpty()) {
			throw new BenchmarkException("not measured: " + String.join("; ", failures));
		}
	}

	private static void writeCsv(Options options, List<ScenarioResult> results) throws IOException {
		Csv csv = new Csv(options);
		Files.write(options.output().resolve("turns.csv"), csv.turns(results));
		Files.write(options.output().resolve("ratios.csv"), csv.ratios(results));
	}

	private static List<String> failures(List<ScenarioResult> results) {
		List<String> failures = new ArrayList<>();
		for (ScenarioResult result : results) {
			result.failures().forEach((system, why) -> failures.add(result.scenario() + " of " + system + ": " + why));
		}
		return failures;
	}

}
