package io.rpcboot.benchmarks.balancers;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.rpcboot.benchmarks.JmhResults;
import io.rpcboot.benchmarks.JmhRuns;
import io.rpcboot.internal.client.routing.MeasuredInstances;
import io.rpcboot.loadbalance.LoadBalancer;
import org.openjdk.jmh.results.RunResult;

/**
 * What balancers cost and how they share: the time of a choice by JMH, shares and queues
 * in simulated time, and which keys move when an instance goes.
 */
public final class MeasureBalancers {

	private static final int INSTANCES = 10;

	private static final int CLIENTS = 20;

	private static final int KEYS = 100_000;

	private static final double SLOW = 3;

	private MeasureBalancers() {
	}

	/**
	 * Run it.
	 * @param args {@code --quick} for one short process of each; {@code --statistics} for
	 * no JMH at all
	 * @throws Exception if it cannot run or a benchmark fails
	 */
	public static void main(String[] args) throws Exception {
		Path output = Path.of("target", "benchmarks");
		Files.createDirectories(output);
		List<RunResult> results = List.of(args).contains("--statistics") ? List.of()
				: JmhRuns.run(BalancersBenchmark.class, 1, 100, List.of(args).contains("--quick"),
						output.resolve("jmh-balancers.log"));
		JmhResults.print(output.resolve("balancers.txt"), (out) -> {
			printTimes(results, out);
			printShares(out);
			printDisruption(out);
		});
	}

	private static void printTimes(List<RunResult> results, PrintStream out) {
		out.printf("%-14s %10s %12s %12s%n", "balancer", "instances", "ns a choice", "B a choice");
		for (RunResult result : results) {
			out.printf("%-14s %10s %12s %12s%n", Balancing.valueOf(result.getParams().getParam("balancing")),
					result.getParams().getParam("instances"), JmhResults.figure(JmhResults.fastest(result)),
					JmhResults.figure(JmhResults.allocated(result)));
		}
	}

	private static void printShares(PrintStream out) {
		String line = "%-14s %-22s %8s %8s %8s %10s %8s %8s%n";
		out.printf("%n" + line, "balancer", "instances, clients", "least", "most", "slow one", "under way", "p50 ms",
				"p99 ms");
		double[] even = new double[INSTANCES];
		Arrays.fill(even, 1);
		double[] slow = even.clone();
		slow[0] = SLOW;
		for (Balancing each : Balancing.values()) {
			for (int clients : new int[] { 1, CLIENTS }) {
				for (double exponent : each.isByKey() ? new double[] { 0, 1 } : new double[] { 0 }) {
					String keys = each.isByKey() ? ((exponent == 0) ? " even keys" : " hot keys") : "";
					Simulation alike = new Simulation(each, clients, even, Keys.zipf(exponent)).run();
					printShare(out, line, each + "", "alike, " + clients + keys, alike, "");
					Simulation odd = new Simulation(each, clients, slow, Keys.zipf(exponent)).run();
					printShare(out, line, each + "", "one 3x slower, " + clients + keys, odd,
							"%.2f".formatted(odd.share(0)));
				}
			}
		}
	}

	private static void printShare(PrintStream out, String line, String balancer, String what, Simulation run,
			String slowOne) {
		out.printf(line, balancer, what, "%.2f".formatted(run.share(false)), "%.2f".formatted(run.share(true)), slowOne,
				run.most(), "%.1f".formatted(run.millis(0.5)), "%.1f".formatted(run.millis(0.99)));
	}

	/** Each of them goes once; with a thousand, a sample does. */
	private static void printDisruption(PrintStream out) {
		String line = "%10s %12s %12s %14s %14s %14s%n";
		out.printf("%n" + line, "instances", "least keys", "most keys", "moved, mean", "moved, most", "ms for a ring");
		for (int size : new int[] { 3, 5, 10, 100, 1000 }) {
			MeasuredInstances all = fleet(size);
			LoadBalancer balancer = Balancing.KEY.balancer();
			long begin = System.nanoTime();
			balancer.choose(all.forCall("any"));
			double millis = (System.nanoTime() - begin) / 1e6;
			int[] owners = owners(balancer, all);
			double[] keys = new double[size];
			IntStream.of(owners).forEach((owner) -> keys[owner] += (double) size / KEYS);
			int[] going = IntStream.iterate(0, (i) -> i < size, (i) -> i + Math.max(1, size / 100)).toArray();
			double[] moved = IntStream.of(going).mapToDouble((gone) -> moved(owners, all, gone) * size).toArray();
			out.printf(line, size, "%.2f".formatted(Arrays.stream(keys).min().orElseThrow()),
					"%.2f".formatted(Arrays.stream(keys).max().orElseThrow()),
					"%.2f/n".formatted(Arrays.stream(moved).average().orElseThrow()),
					"%.2f/n".formatted(Arrays.stream(moved).max().orElseThrow()), "%.1f".formatted(millis));
		}
	}

	private static MeasuredInstances fleet(int size) {
		int[] weights = new int[size];
		Arrays.fill(weights, 100);
		return new MeasuredInstances(weights, System::nanoTime);
	}

	private static int[] owners(LoadBalancer balancer, MeasuredInstances fleet) {
		return IntStream.range(0, KEYS).map((i) -> balancer.choose(fleet.forCall("user-" + i))).toArray();
	}

	/** Share of the keys that have another instance without that one. */
	private static double moved(int[] before, MeasuredInstances all, int gone) {
		int[] after = owners(Balancing.KEY.balancer(), all.without(gone));
		long moved = IntStream.range(0, KEYS)
			.filter((i) -> before[i] != ((after[i] < gone) ? after[i] : after[i] + 1))
			.count();
		return (double) moved / KEYS;
	}

}
