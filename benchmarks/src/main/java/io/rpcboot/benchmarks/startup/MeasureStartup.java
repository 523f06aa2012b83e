package io.rpcboot.benchmarks.startup;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.rpcboot.benchmarks.ProbeProcess;
import io.rpcboot.benchmarks.Spread;
import io.rpcboot.benchmarks.startup.GeneratedServices.Kind;

/**
 * Starts an empty application and one with many services and references in turn, each
 * time in a new process, and prints what the services take: medians and ranges. An older
 * build takes part if there is one.
 */
public final class MeasureStartup {

	private static final String PLAIN = "the same as plain beans";

	private static final int PATIENCE_SECONDS = 60;

	private static final String LINE = "%-26s %16s %16s %18s %18s %16s %18s%n";

	private final StartupOptions options;

	private final Map<String, List<StartupFigures>> figures = new LinkedHashMap<>();

	private MeasureStartup(StartupOptions options) {
		this.options = options;
	}

	/**
	 * Run it.
	 * @param args options, see the README of this module
	 * @throws Exception if an application does not start or gives a wrong answer
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(StartupOptions.USAGE);
			return;
		}
		StartupOptions options = StartupOptions.parse(args);
		Files.createDirectories(options.output());
		MeasureStartup measure = new MeasureStartup(options);
		measure.run();
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		try (PrintStream file = new PrintStream(options.output().resolve("startup.txt").toFile(),
				StandardCharsets.UTF_8)) {
			measure.print(out);
			measure.print(file);
		}
	}

	private void run() throws IOException, InterruptedException {
		String own = System.getProperty("java.class.path");
		Map<String, String> builds = new LinkedHashMap<>(Map.of("this build", own));
		if (this.options.baseline() != null) {
			builds.put("older build", this.options.baseline().classPath(own));
		}
		try (GeneratedServices services = GeneratedServices.compile(Kind.SERVICES, this.options.services(), own);
				GeneratedServices plain = GeneratedServices.compile(Kind.PLAIN, this.options.services(), own)) {
			for (int round = 0; round < this.options.rounds(); round++) {
				List<Map.Entry<String, String>> order = new ArrayList<>(builds.entrySet());
				Collections.rotate(order, round);
				for (Map.Entry<String, String> build : order) {
					start(build.getKey() + ", empty", StartupProbe.EMPTY, build.getValue());
					start(build.getKey() + ", services", "services",
							services.classPath() + File.pathSeparator + build.getValue());
				}
				start(PLAIN, "plain", plain.classPath() + File.pathSeparator + own);
			}
		}
	}

	private void start(String row, String application, String classPath) throws IOException, InterruptedException {
		Path log = this.options.output().resolve("startup-" + application + ".log");
		List<String> command = new ArrayList<>(this.options.jvmArgs());
		command.addAll(List.of("-classpath", classPath, StartupProbe.class.getName(), application));
		String line = ProbeProcess.figures(this.options.java(), command, log, PATIENCE_SECONDS, StartupProbe.FIGURES)
			.stream()
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("the application has failed, see " + log));
		this.figures.computeIfAbsent(row, (key) -> new ArrayList<>()).add(StartupFigures.parse(line));
	}

	private void print(PrintStream out) {
		out.printf("%d services and %d references, five methods and two records each; %d processes of each row%n",
				this.options.services(), this.options.services(), this.options.rounds());
		out.printf(LINE, "median (range)", "ready ms", "processor ms", "heap MB", "metaspace MB", "first calls ms",
				"heap then MB");
		this.figures.forEach((row, values) -> out.printf(LINE, row, median(values, StartupFigures::millis, 0),
				median(values, StartupFigures::cpuMillis, 0), median(values, StartupFigures::heap, 1),
				median(values, StartupFigures::metaspace, 1), median(values, StartupFigures::callMillis, 0),
				median(values, StartupFigures::heapAfterCalls, 1)));
		this.figures.keySet()
			.stream()
			.filter((row) -> row.endsWith(", services"))
			.map((row) -> row.substring(0, row.indexOf(',')))
			.forEach((build) -> printDifference(out, build));
	}

	private void printDifference(PrintStream out, String build) {
		out.printf(LINE, build + ", difference", difference(build, StartupFigures::millis, 0),
				difference(build, StartupFigures::cpuMillis, 0), difference(build, StartupFigures::heap, 1),
				difference(build, StartupFigures::metaspace, 1), "",
				difference(build, StartupFigures::heapAfterCalls, 1));
	}

	private static String median(List<StartupFigures> values, ToDoubleFunction<StartupFigures> figure, int digits) {
		return text(Spread.of(values.stream().mapToDouble(figure).toArray()), digits);
	}

	/** Of the two processes of a round, which follow each other. */
	private String difference(String build, ToDoubleFunction<StartupFigures> figure, int digits) {
		List<StartupFigures> empty = this.figures.getOrDefault(build + ", empty", List.of());
		List<StartupFigures> services = this.figures.getOrDefault(build + ", services", List.of());
		double[] differences = new double[Math.min(empty.size(), services.size())];
		for (int i = 0; i < differences.length; i++) {
			differences[i] = figure.applyAsDouble(services.get(i)) - figure.applyAsDouble(empty.get(i));
		}
		return text(Spread.of(differences), digits);
	}

	private static String text(Spread spread, int digits) {
		return spread.text("%." + digits + "f");
	}

}
