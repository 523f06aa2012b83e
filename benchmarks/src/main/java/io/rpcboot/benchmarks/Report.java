package io.rpcboot.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.netty.util.Version;
import io.rpcboot.benchmarks.system.RpcSystem;

/**
 * The table: for every scenario the medians of each system, then the ratios of the first
 * system to each of the others.
 */
final class Report {

	private static final String NAME = "%-16s";

	private static final String CELL = " %22s";

	private static final List<Measure> RATIOS = List.of(Measure.THROUGHPUT, Measure.P50, Measure.P99, Measure.CPU,
			Measure.ALLOCATED, Measure.SWITCHES);

	private final Options options;

	private final PrintStream out;

	Report(Options options, PrintStream out) {
		this.options = options;
		this.out = out;
	}

	void printHead() {
		this.out.printf(Locale.ROOT,
				"Systems %s; %d rounds of %d ms each after %d ms, prepared for %d ms; %s; %d processors%n",
				this.options.systems().stream().map(RpcSystem::name).toList(), this.options.rounds(),
				this.options.slice().toMillis(), this.options.warmup().toMillis(),
				this.options.preparation().toMillis(), String.join(" ", versions()),
				Runtime.getRuntime().availableProcessors());
		this.out
			.println("Medians of the rounds. A ratio is the median of the ratios within each round [least-greatest]."
					+ " CPU, allocation and context switches are of one call, client + server.");
	}

	private List<String> versions() {
		String netty = Version.identify()
			.values()
			.stream()
			.map(Version::artifactVersion)
			.distinct()
			.collect(Collectors.joining("/"));
		String grpc = String.valueOf(io.grpc.ManagedChannel.class.getPackage().getImplementationVersion());
		return List.of("java", this.options.java().toString(), "netty", netty, "grpc-java", grpc);
	}

	void print(ScenarioResult result) {
		this.out.println();
		this.out.printf(NAME, result.scenario().call().label());
		this.out.println(" " + result.scenario().load());
		this.out.printf(NAME, "");
		RATIOS.forEach((measure) -> this.out.printf(CELL, measure.title()));
		this.out.println();
		for (RpcSystem system : this.options.systems()) {
			printMedians(result, system);
		}
		String first = this.options.systems().get(0).name();
		List<Turn> ours = result.turns().get(first);
		if (ours != null) {
			result.turns().forEach((peer, turns) -> {
				if (!peer.equals(first)) {
					this.out.printf(NAME, first + "/" + peer);
					RATIOS.forEach((measure) -> this.out.printf(CELL, ratio(Spread.ofRatios(ours, turns, measure))));
					this.out.println();
				}
			});
		}
		this.out.flush();
	}

	private void printMedians(ScenarioResult result, RpcSystem system) {
		this.out.printf(NAME, system.name());
		List<Turn> turns = result.turns().get(system.name());
		if (turns == null) {
			this.out.println(" " + result.failures().getOrDefault(system.name(), "-"));
			return;
		}
		for (Measure measure : RATIOS) {
			String cell = number(Spread.of(turns, measure).median());
			if (measure == Measure.CPU) {
				cell += parts(turns, Measure.CLIENT_CPU, Measure.SERVER_CPU);
			}
			else if (measure == Measure.ALLOCATED) {
				cell += parts(turns, Measure.CLIENT_ALLOCATED, Measure.SERVER_ALLOCATED);
			}
			this.out.printf(CELL, cell);
		}
		this.out.println();
	}

	private static String parts(List<Turn> turns, Measure client, Measure server) {
		return " (" + number(Spread.of(turns, client).median()) + "+" + number(Spread.of(turns, server).median()) + ")";
	}

	void printSummary(List<ScenarioResult> results) {
		String first = this.options.systems().get(0).name();
		List<String> peers = this.options.systems().stream().map(RpcSystem::name).skip(1).toList();
		this.out.println();
		this.out.println("Throughput of " + first + " to the others");
		this.out.printf("%-30s", "");
		peers.forEach((peer) -> this.out.printf(CELL, first + "/" + peer));
		this.out.println();
		for (ScenarioResult result : results) {
			this.out.printf("%-30s", result.scenario());
			List<Turn> ours = result.turns().get(first);
			for (String peer : peers) {
				List<Turn> turns = result.turns().get(peer);
				this.out.printf(CELL, (ours == null || turns == null) ? "-"
						: ratio(Spread.ofRatios(ours, turns, Measure.THROUGHPUT)));
			}
			this.out.println();
		}
		this.out.flush();
	}

	private static String ratio(Spread spread) {
		if (Double.isNaN(spread.median())) {
			return "-";
		}
		return factor(spread.median()) + " [" + factor(spread.min()) + "-" + factor(spread.max()) + "]";
	}

	private static String factor(double value) {
		if (value >= 10) {
			return String.format(Locale.ROOT, "%.1f", value);
		}
		return String.format(Locale.ROOT, (value >= 0.1) ? "%.2f" : "%.3f", value);
	}

	private static String number(double value) {
		if (value >= 100) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		return String.format(Locale.ROOT, (value >= 10) ? "%.1f" : "%.2f", value);
	}

}
