package io.rpcboot.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.fork.Latencies;
import io.rpcboot.benchmarks.fork.ProcessCounters;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * A fixed number of calls by a fixed number of threads over one connection, for each of
 * the four user calls: warm-up rounds, then rounds that count and their average.
 */
final class ToyRun {

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final String LINE = "%-14s %-12s %10s %12s %10s %10s %10s %10s%n";

	private final ToyOptions options;

	private final Environment environment;

	private final List<PrintStream> outs;

	private final List<String> csv = new ArrayList<>(
			List.of("system,call,round,millis,calls_per_milli,mean_ms,p90_ms,p99_ms,p999_ms"));

	ToyRun(ToyOptions options, Environment environment, List<PrintStream> outs) {
		this.options = options;
		this.environment = environment;
		this.outs = outs;
	}

	void run() throws IOException, InterruptedException {
		print("%d threads, %,d calls in a round, %d warm-up rounds, %d rounds, one connection%n",
				this.options.threads(), this.options.requests(), this.options.warmupRounds(), this.options.rounds());
		for (String name : this.options.systems()) {
			try (SystemProcesses system = new SystemProcesses(this.environment.system(name), this.environment)) {
				system.start(1);
				for (BenchCall call : BenchCall.COMPARED) {
					if (call != BenchCall.ECHO && system.supports(call)) {
						run(system, call);
					}
				}
			}
		}
		Files.write(this.environment.output().resolve("toy.csv"), this.csv);
	}

	private void run(SystemProcesses system, BenchCall call) throws InterruptedException {
		print("%n%s %s%n", system.name(), call.label());
		print(LINE, "", "Time(ms)", "QPS(/ms)", "AVG_RT(ms)", "P90(ms)", "P99(ms)", "P999(ms)", "GC");
		String command = "count " + call.label() + " " + this.options.threads() + " " + this.options.requests();
		for (int round = 1; round <= this.options.warmupRounds(); round++) {
			print(system.run(command, PATIENCE), "warm-up " + round);
		}
		List<Row> rows = new ArrayList<>();
		GarbageCollection server = GarbageCollection.NONE;
		GarbageCollection client = GarbageCollection.NONE;
		for (int round = 1; round <= this.options.rounds(); round++) {
			SystemProcesses.Counted counted = system.run(command, PATIENCE);
			Row row = print(counted, "round " + round);
			rows.add(row);
			this.csv.add(system.name() + "," + call.label() + "," + round + "," + row.csv());
			server = server.and(counted.server());
			client = client.and(counted.slice().client());
		}
		Row average = Row.average(rows);
		print(average, "AVG", "");
		this.csv.add(system.name() + "," + call.label() + ",avg," + average.csv());
		print("garbage collections of the rounds: client %s, server %s%n", client, server);
	}

	private Row print(SystemProcesses.Counted counted, String what) {
		Row row = Row.of(counted);
		long collections = counted.slice().client().collections() + counted.server().collections();
		print(row, what, String.valueOf(collections));
		return row;
	}

	private void print(Row row, String what, String collections) {
		print(LINE, what, format("%.0f", row.millis()), format("%.2f", row.callsPerMilli()),
				format("%.3f", row.meanMillis()), format("%.3f", row.p90Millis()), format("%.3f", row.p99Millis()),
				format("%.3f", row.p999Millis()), collections);
	}

	private void print(String format, Object... args) {
		this.outs.forEach((out) -> out.printf(Locale.ROOT, format, args));
	}

	private static String format(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

	/**
	 * One line of the table; times in milliseconds.
	 *
	 * @param millis of the round
	 * @param callsPerMilli answered calls by that
	 * @param meanMillis mean latency
	 * @param p90Millis latency that 90 of 100 calls did not exceed
	 * @param p99Millis latency that 99 of 100 calls did not exceed
	 * @param p999Millis latency that 999 of 1000 calls did not exceed
	 */
	record Row(double millis, double callsPerMilli, double meanMillis, double p90Millis, double p99Millis,
			double p999Millis) {

		static Row of(SystemProcesses.Counted counted) {
			Latencies latencies = counted.slice().latencies();
			double millis = counted.slice().elapsedNanos() / 1e6;
			return new Row(millis, latencies.calls() / millis, latencies.meanNanos() / 1e6, latencies.p90Nanos() / 1e6,
					latencies.p99Nanos() / 1e6, latencies.p999Nanos() / 1e6);
		}

		static Row average(List<Row> rows) {
			return new Row(mean(rows.stream().mapToDouble(Row::millis).toArray()),
					mean(rows.stream().mapToDouble(Row::callsPerMilli).toArray()),
					mean(rows.stream().mapToDouble(Row::meanMillis).toArray()),
					mean(rows.stream().mapToDouble(Row::p90Millis).toArray()),
					mean(rows.stream().mapToDouble(Row::p99Millis).toArray()),
					mean(rows.stream().mapToDouble(Row::p999Millis).toArray()));
		}

		private static double mean(double... values) {
			double sum = 0;
			for (double value : values) {
				sum += value;
			}
			return sum / values.length;
		}

		String csv() {
			return String.format(Locale.ROOT, "%.1f,%.3f,%.4f,%.4f,%.4f,%.4f", this.millis, this.callsPerMilli,
					this.meanMillis, this.p90Millis, this.p99Millis, this.p999Millis);
		}

	}

	/**
	 * What the garbage collectors of one process did.
	 *
	 * @param count how often they ran
	 * @param millis how long
	 */
	record GarbageCollection(long count, long millis) {

		static final GarbageCollection NONE = new GarbageCollection(0, 0);

		GarbageCollection and(ProcessCounters counters) {
			return new GarbageCollection(this.count + counters.collections(),
					this.millis + counters.collectionMillis());
		}

		@Override
		public String toString() {
			return this.count + " in " + this.millis + " ms";
		}

	}

}
