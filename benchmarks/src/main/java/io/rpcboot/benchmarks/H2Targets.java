package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.rpcboot.benchmarks.TargetRow.Bound;
import io.rpcboot.benchmarks.TargetRow.Figure;
import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * What is aimed at with gRPC over HTTP/2, with the figures that were measured: medians of
 * the ratios within each round, and their range. A row of several cells shows the worst.
 */
final class H2Targets {

	private static final double NONE = Double.NaN;

	private final Results results;

	private final List<TargetRow> rows = new ArrayList<>();

	private H2Targets(Results results) {
		this.results = results;
	}

	/**
	 * The rows.
	 * @param load what h2load has measured
	 */
	static List<TargetRow> of(Results results, List<H2Load.Row> load) {
		H2Targets targets = new H2Targets(results);
		LoadSpec one = LoadSpec.blocking(1);
		LoadSpec some = LoadSpec.blocking(32);
		LoadSpec many = LoadSpec.blocking(128);
		LoadSpec async = LoadSpec.async(H2Parts.ASYNC, Preset.IN_FLIGHT);
		targets.addThroughput(1.5, NONE, one);
		targets.addThroughput(3.5, 5, some);
		targets.addThroughput(3.5, 6, many);
		targets.addThroughput(12, 25, async);
		targets.addServer(some);
		targets.addServer(async);
		targets.addClient(0.5, some);
		targets.addClient(0.25, async);
		targets.addGarbage(some);
		targets.addGarbage(async);
		targets.addQueue(1.5, some);
		targets.addQueue(1.4, LoadSpec.blocking(H2Parts.MANY));
		targets.addQueue(6, async);
		targets.addLoad(load);
		targets.addNative();
		return targets.rows;
	}

	private void addThroughput(double loopTarget, double target, LoadSpec load) {
		add("calls/s of both sides, of grpc-java's, echo " + load.label(), Bound.AT_LEAST, loopTarget,
				ratio(H2Parts.LOOP, load, "ours-h2-loop", "grpc-direct", Measure.THROUGHPUT), target,
				ratio(H2Parts.DEFAULT, load, "ours-h2", "grpc", Measure.THROUGHPUT));
	}

	private void addServer(LoadSpec load) {
		add("server CPU under grpc-java's client, of grpc-java's, echo " + load.label(), Bound.AT_MOST, 0.35,
				ratio(H2Parts.LOOP, load, "grpc-to-ours-loop", "grpc-direct", Measure.SERVER_CPU), 0.15,
				ratio(H2Parts.DEFAULT, load, "grpc-to-ours", "grpc", Measure.SERVER_CPU));
	}

	private void addClient(double target, LoadSpec load) {
		add("client CPU against grpc-java's server, of grpc-java's, echo " + load.label(), Bound.AT_MOST, target,
				ratio(H2Parts.LOOP, load, "ours-loop-to-grpc", "grpc-direct", Measure.CLIENT_CPU), NONE,
				ratio(H2Parts.DEFAULT, load, "ours-to-grpc", "grpc", Measure.CLIENT_CPU));
	}

	private void addGarbage(LoadSpec load) {
		add("allocated bytes of both sides, echo " + load.label(), Bound.AT_MOST, 1_500,
				allocated(H2Parts.LOOP, load, "ours-h2-loop"), 1_500, allocated(H2Parts.DEFAULT, load, "ours-h2"));
	}

	private void addQueue(double target, LoadSpec load) {
		add("calls/s with the queue, of a task, a write and a flush for each call, echo " + load.label(),
				Bound.AT_LEAST, NONE, Figure.NONE, target,
				ratio(H2Parts.QUEUE, load, "ours-h2", "ours-h2-unqueued", Measure.THROUGHPUT));
	}

	private void addLoad(List<H2Load.Row> load) {
		Spread ratio = H2Load.ratio(load);
		add("calls/s under h2load, of grpc-java direct", Bound.AT_LEAST, 2.5, figure(ratio), NONE, Figure.NONE);
	}

	private void addNative() {
		double[] ratios = this.results.of(H2Parts.NATIVE)
			.mapToDouble((each) -> each.ratio("ours-beside", "ours", Measure.THROUGHPUT))
			.toArray();
		Spread cells = Spread.of(ratios);
		double mean = Targets.geometricMean(ratios);
		add("native calls/s with gRPC and JSON hot, of native alone, geometric mean of the cells", Bound.AT_LEAST, NONE,
				Figure.NONE, 0.97, Double.isNaN(mean) ? Figure.NONE : new Figure(mean, range(cells)));
	}

	private void add(String cell, Bound bound, double loopTarget, Figure loop, double target, Figure figure) {
		this.rows.add(new TargetRow(cell, bound, loopTarget, loop, target, figure));
	}

	private Figure ratio(String part, LoadSpec load, String system, String peer, Measure measure) {
		return echo(part, load)
			.map((each) -> figure(Spread.ofRatios(each.turns().getOrDefault(system, List.of()),
					each.turns().getOrDefault(peer, List.of()), measure)))
			.orElse(Figure.NONE);
	}

	private Figure allocated(String part, LoadSpec load, String system) {
		return echo(part, load)
			.map((each) -> figure(Spread.of(each.turns().getOrDefault(system, List.of()), Measure.ALLOCATED)))
			.orElse(Figure.NONE);
	}

	private Optional<ScenarioResult> echo(String part, LoadSpec load) {
		return this.results.of(part)
			.filter((each) -> each.scenario().equals(new Scenario(BenchCall.ECHO, load)))
			.findFirst();
	}

	private static Figure figure(Spread spread) {
		return Double.isNaN(spread.median()) ? Figure.NONE : new Figure(spread.median(), range(spread));
	}

	private static String range(Spread spread) {
		return Numbers.number(spread.min()) + "-" + Numbers.number(spread.max());
	}

}
