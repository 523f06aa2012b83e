package io.rpcboot.benchmarks.hanging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.ProbeProcess;
import io.rpcboot.benchmarks.Spread;
import io.rpcboot.benchmarks.TextReport;
import io.rpcboot.server.Dispatch;

import org.jspecify.annotations.Nullable;

/**
 * Measures what a service keeps of its throughput while another one of the same server
 * hangs: on the pool and on virtual threads, with blocking and asynchronous callers.
 */
public final class MeasureHanging {

	private static final List<String> JVM_ARGS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC",
			"--enable-native-access=ALL-UNNAMED");

	/** Of a round; it takes ten at most. */
	private static final int PATIENCE_SECONDS = 60;

	private static final double TARGET = 0.9;

	private static final String LINE = "%-26s %22s %22s %18s%n";

	private final HangingOptions options;

	private final List<String> lines = new ArrayList<>();

	private boolean missed;

	private MeasureHanging(HangingOptions options) {
		this.options = options;
	}

	/**
	 * Run it.
	 * @param args options, see the README of this module
	 * @throws Exception if a process fails
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(HangingOptions.USAGE);
			return;
		}
		HangingOptions options = HangingOptions.parse(args);
		Files.createDirectories(options.output());
		MeasureHanging measure = new MeasureHanging(options);
		measure.run();
		TextReport.print(measure.lines, options.output().resolve("hanging.txt"));
		if (measure.missed) {
			throw new IllegalStateException("a service keeps less than " + TARGET + " of its throughput");
		}
	}

	private void run() throws IOException, InterruptedException {
		this.lines.add(String.format(LINE, this.options.rounds() + " rounds: median (range)", "calls/s alone",
				"while another hangs", "ratio"));
		for (String callers : List.of(HangingProbe.BLOCKING, HangingProbe.ASYNCHRONOUS)) {
			row(Dispatch.POOL, callers, this.options.java());
			row(Dispatch.VIRTUAL, callers, this.options.virtualJava());
		}
	}

	private void row(Dispatch dispatch, String callers, @Nullable Path java) throws IOException, InterruptedException {
		String name = dispatch.name().toLowerCase(Locale.ROOT) + ", " + callers;
		if (java == null) {
			this.lines.add(name + ": no Java with virtual threads%n".formatted());
			return;
		}
		List<double[]> rounds = measure(java, dispatch, callers);
		double[] alone = rounds.stream().mapToDouble((each) -> each[0]).toArray();
		double[] beside = rounds.stream().mapToDouble((each) -> each[1]).toArray();
		Spread ratio = Spread.of(rounds.stream().mapToDouble((each) -> each[1] / each[0]).toArray());
		this.missed |= !(ratio.median() >= TARGET);
		this.lines.add(String.format(LINE, name, Spread.of(alone).text("%,.0f"), Spread.of(beside).text("%,.0f"),
				ratio.text("%.2f")));
	}

	private List<double[]> measure(Path java, Dispatch dispatch, String callers)
			throws IOException, InterruptedException {
		Path log = this.options.output().resolve("hanging-" + dispatch + "-" + callers + ".log");
		List<String> command = new ArrayList<>(JVM_ARGS);
		command.addAll(List.of("-classpath", System.getProperty("java.class.path"), HangingProbe.class.getName(),
				dispatch.name(), callers, String.valueOf(this.options.rounds())));
		List<double[]> rounds = ProbeProcess
			.figures(java, command, log, PATIENCE_SECONDS * this.options.rounds(), HangingProbe.FIGURES)
			.stream()
			.map((line) -> line.split(" "))
			.map((words) -> new double[] { Double.parseDouble(words[1]), Double.parseDouble(words[2]) })
			.toList();
		if (rounds.size() != this.options.rounds()) {
			throw new IllegalStateException(
					"%d rounds of %d, see %s".formatted(rounds.size(), this.options.rounds(), log));
		}
		return rounds;
	}

}
