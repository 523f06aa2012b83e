package io.rpcboot.benchmarks.away;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.benchmarks.LoopingThreads;
import io.rpcboot.benchmarks.Spread;
import io.rpcboot.benchmarks.TextReport;
import io.rpcboot.client.RpcClient;
import org.jspecify.annotations.Nullable;

/**
 * Measures calls while no instance is there: how soon they end when all refuse, and how
 * many fail while the only instance is restarted.
 */
public final class MeasureAway {

	/** A refused call takes no longer, but for one in a hundred. */
	private static final double MOST_MILLIS = 5;

	private static final long WARM_UP_MILLIS = 2000;

	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	private static final String REFUSED = "%-34s %14s %24s %24s %24s%n";

	private static final String RESTART = "%-34s %14s %24s %24s %24s%n";

	private final AwayOptions options;

	private final List<String> lines = new ArrayList<>();

	private final List<String> missed = new ArrayList<>();

	private MeasureAway(AwayOptions options) {
		this.options = options;
	}

	/**
	 * Run it.
	 * @param args options, see the README of this module
	 * @throws Exception if there is no free port
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(AwayOptions.USAGE);
			return;
		}
		AwayOptions options = AwayOptions.parse(args);
		Files.createDirectories(options.output());
		MeasureAway measure = new MeasureAway(options);
		measure.run();
		TextReport.print(measure.lines, options.output().resolve("away.txt"));
		if (!measure.missed.isEmpty()) {
			throw new IllegalStateException(String.join("; ", measure.missed));
		}
	}

	private void run() throws IOException, InterruptedException {
		this.lines.add(String.format(REFUSED, this.options.rounds() + " rounds: median (range)", "calls/s", "p50 ms",
				"p99 ms", "longest ms"));
		for (int instances : List.of(1, 3)) {
			for (int threads : List.of(1, 16)) {
				refused(instances, threads);
			}
		}
		this.lines
			.add(String.format("%n" + RESTART, Restart.CALLERS + " callers, pauses of " + Restart.PAUSE_MILLIS + " ms",
					"calls", "failed", "longest call ms", "answers after ms"));
		restart(Duration.ofMillis(800), null, TIMEOUT, true);
		for (int seconds : List.of(5, 15)) {
			restart(Duration.ofSeconds(seconds), null, TIMEOUT, false);
			restart(Duration.ofSeconds(seconds), Duration.ofSeconds(20), Duration.ofSeconds(20), true);
		}
	}

	private void refused(int instances, int threads) throws IOException, InterruptedException {
		List<double[]> rounds = new ArrayList<>();
		for (int round = 0; round < this.options.rounds(); round++) {
			rounds.add(refusedOnce(instances, threads));
		}
		String row = "all of %d refuse, %d threads".formatted(instances, threads);
		Spread p99 = column(rounds, 2);
		if (!(p99.median() < MOST_MILLIS)) {
			this.missed.add("%s: p99 is %.2f ms (expected: less than %.0f)".formatted(row, p99.median(), MOST_MILLIS));
		}
		this.lines.add(String.format(REFUSED, row, String.format(Locale.ROOT, "%,.0f", column(rounds, 0).median()),
				column(rounds, 1).text("%.3f"), p99.text("%.3f"), column(rounds, 3).text("%.1f")));
	}

	private double[] refusedOnce(int instances, int threads) throws IOException, InterruptedException {
		try (RpcClient client = RpcClient.builder().build()) {
			Greeter greeter = client.reference(Greeter.class, Ports.refusing(instances));
			try (LoopingThreads callers = new LoopingThreads(threads, () -> isRefused(greeter))) {
				callers.goOn(WARM_UP_MILLIS);
			}
			Durations durations = new Durations();
			long begin = System.nanoTime();
			try (LoopingThreads callers = new LoopingThreads(threads, () -> {
				long start = System.nanoTime();
				isRefused(greeter);
				durations.add(System.nanoTime() - start);
			})) {
				callers.goOn(this.options.refusedMillis());
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			double[] millis = durations.millis(0.5, 0.99, 1);
			return new double[] { durations.count() / seconds, millis[0], millis[1], millis[2] };
		}
	}

	private static void isRefused(Greeter greeter) {
		try {
			greeter.greet("Ann");
		}
		catch (RpcException ex) {
			if (ex.status() == RpcStatus.UNAVAILABLE && !ex.mayHaveExecuted()) {
				return;
			}
			throw ex;
		}
		throw new IllegalStateException("somebody has answered");
	}

	private void restart(Duration gap, @Nullable Duration wait, Duration timeout, boolean none)
			throws InterruptedException {
		List<double[]> rounds = new ArrayList<>();
		for (int round = 0; round < this.options.rounds(); round++) {
			Restart.Result result = Restart.measure(gap, wait, timeout);
			rounds.add(new double[] { result.calls(), result.failed(), result.longestMillis(), result.backMillis() });
		}
		String row = "successor after %s ms, waits %s".formatted(gap.toMillis(),
				(wait != null) ? wait.toSeconds() + " s" : "1 s");
		Spread failed = column(rounds, 1);
		if (none && failed.max() > 0) {
			this.missed.add("%s: %.0f calls failed (expected: 0)".formatted(row, failed.max()));
		}
		this.lines.add(String.format(RESTART, row, String.format(Locale.ROOT, "%,.0f", column(rounds, 0).median()),
				failed.text("%.0f"), column(rounds, 2).text("%.0f"), column(rounds, 3).text("%.0f")));
	}

	private static Spread column(List<double[]> rounds, int index) {
		return Spread.of(rounds.stream().mapToDouble((each) -> each[index]).toArray());
	}

}
