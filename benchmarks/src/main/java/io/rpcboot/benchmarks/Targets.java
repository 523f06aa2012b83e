package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.TargetRow.Bound;
import io.rpcboot.benchmarks.TargetRow.Figure;
import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * The table of what is aimed at, with the figures that were measured. A ratio is the
 * median of the ratios within each round; a row of several cells shows the worst.
 */
final class Targets {

	private static final String OURS = "ours";

	private static final String LOOP = "ours-loop";

	private static final String RAW = "netty";

	private static final String GRPC = "grpc";

	/** Whom every cell is compared with; raw Netty is the limit and no peer. */
	private static final List<String> PEERS = List.of(GRPC, "grpc-direct", "dubbo", "sofarpc", "rocketmq");

	private static final double NONE = Double.NaN;

	private final Results results;

	private final List<TargetRow> rows = new ArrayList<>();

	private Targets(Results results) {
		this.results = results;
	}

	static List<TargetRow> of(Results results) {
		Targets targets = new Targets(results);
		targets.addThroughput();
		targets.addPeers();
		targets.addCosts();
		targets.addWaiting();
		targets.addBatching();
		targets.addOverload();
		return targets.rows;
	}

	private void addThroughput() {
		against("echo blocking 1, of raw", RAW, 0.80, 0.50, BenchCall.ECHO, LoadSpec.Mode.BLOCKING, 1);
		against("echo blocking 32 and 128, of raw", RAW, 0.80, 0.60, BenchCall.ECHO, LoadSpec.Mode.BLOCKING, 32, 128);
		against("echo async 1 and 4 callers, of raw", RAW, 1.2, 0.60, BenchCall.ECHO, LoadSpec.Mode.ASYNC, 1, 4);
		against("echo async 32 callers, of raw", RAW, 0.85, 0.55, BenchCall.ECHO, LoadSpec.Mode.ASYNC, 32);
		Predicate<ScenarioResult> small = is(BenchCall.EXIST_USER, LoadSpec.Mode.BLOCKING, 32)
			.or(is(BenchCall.CREATE_USER, LoadSpec.Mode.BLOCKING, 32))
			.or(is(BenchCall.GET_USER, LoadSpec.Mode.BLOCKING, 32));
		add("existUser, createUser, getUser blocking 32, of grpc", Bound.AT_LEAST, 7, 5,
				(system) -> worst(this.results.closed().filter(small), Bound.AT_LEAST,
						(each) -> each.ratio(system, GRPC, Measure.THROUGHPUT)));
		against("listUser blocking 32, of grpc", GRPC, 3.5, 3, BenchCall.LIST_USER, LoadSpec.Mode.BLOCKING, 32);
		against("existUser async 32 callers, of grpc", GRPC, 12, 6, BenchCall.EXIST_USER, LoadSpec.Mode.ASYNC, 32);
	}

	private void against(String cell, String peer, double loopTarget, double target, BenchCall call, LoadSpec.Mode mode,
			int... callers) {
		add(cell, Bound.AT_LEAST, loopTarget, target,
				(system) -> worst(this.results.closed().filter(is(call, mode, callers)), Bound.AT_LEAST,
						(each) -> each.ratio(system, peer, Measure.THROUGHPUT)));
	}

	private void addPeers() {
		add("every cell, of the best peer", Bound.AT_LEAST, 2, 1.3,
				(system) -> worst(
						this.results.closed().filter((each) -> BenchCall.COMPARED.contains(each.scenario().call())),
						Bound.AT_LEAST, (each) -> toBestPeer(each, system)));
		add("p99 at a fixed rate, geometric mean, of the best peer", Bound.AT_MOST, 0.6, 0.8, (system) -> Figure
			.of(geometricMean(this.results.open().mapToDouble((each) -> latencyToBestPeer(each, system)).toArray())));
	}

	private static double toBestPeer(ScenarioResult result, String system) {
		return PEERS.stream()
			.mapToDouble((peer) -> result.ratio(system, peer, Measure.THROUGHPUT))
			.filter((ratio) -> !Double.isNaN(ratio))
			.min()
			.orElse(NONE);
	}

	private static double latencyToBestPeer(ScenarioResult result, String system) {
		return PEERS.stream()
			.mapToDouble((peer) -> result.ratio(system, peer, Measure.P99))
			.filter((ratio) -> !Double.isNaN(ratio))
			.max()
			.orElse(NONE);
	}

	/**
	 * The geometric mean.
	 * @param values over 0; NaN does not count
	 * @return NaN of no values
	 */
	static double geometricMean(double... values) {
		double sum = 0;
		int count = 0;
		for (double value : values) {
			if (!Double.isNaN(value)) {
				sum += Math.log(value);
				count++;
			}
		}
		return (count == 0) ? NONE : Math.exp(sum / count);
	}

	private void addCosts() {
		Predicate<ScenarioResult> blocking = is(BenchCall.ECHO, LoadSpec.Mode.BLOCKING, 32);
		add("CPU per call, echo blocking 32, of raw", Bound.AT_MOST, 1.3, 1.6,
				(system) -> worst(this.results.closed().filter(blocking), Bound.AT_MOST,
						(each) -> each.ratio(system, RAW, Measure.CPU)));
		add("allocated bytes per call, echo blocking 32", Bound.AT_MOST, 600, 800,
				(system) -> worst(this.results.closed().filter(blocking), Bound.AT_MOST,
						(each) -> each.median(system, Measure.ALLOCATED)));
		add("voluntary context switches per call, echo async", Bound.AT_MOST, 0.1, 0.2,
				(system) -> worst(this.results.closed().filter(is(BenchCall.ECHO, LoadSpec.Mode.ASYNC, 1, 4, 32)),
						Bound.AT_MOST, (each) -> each.median(system, Measure.SWITCHES)));
	}

	private void addWaiting() {
		add("echo from 128 and 1,000 virtual threads, of our own 128 platform threads", Bound.AT_LEAST, 3, 2.5,
				this::virtualThreads);
		add("handlers that sleep 10 ms, 200 callers, calls per second", Bound.AT_LEAST, NONE, 15_000,
				(system) -> worst(this.results.closed().filter(is(BenchCall.SLEEP_10, LoadSpec.Mode.BLOCKING, 200)),
						Bound.AT_LEAST, (each) -> each.median(system, Measure.THROUGHPUT)));
		add("99 fast calls behind one that sleeps 10 ms: p90 of the fast ones in ms", Bound.AT_MOST, NONE, 5,
				(system) -> system.equals(OURS) ? worst(this.results.of(Part.BURST), Bound.AT_MOST,
						(each) -> each.median("ours-burst", Measure.P90) / 1e3) : Figure.NONE);
	}

	private Figure virtualThreads(String system) {
		double platform = this.results.of(Part.VIRTUAL)
			.filter(is(BenchCall.ECHO, LoadSpec.Mode.BLOCKING, 128))
			.mapToDouble((each) -> each.median(system, Measure.THROUGHPUT))
			.findFirst()
			.orElse(NONE);
		return worst(this.results.of(Part.VIRTUAL).filter(is(BenchCall.ECHO, LoadSpec.Mode.VIRTUAL, 128, 1_000)),
				Bound.AT_LEAST, (each) -> each.median(system, Measure.THROUGHPUT) / platform);
	}

	private void addBatching() {
		add("AUTO of the better of ALWAYS and NEVER, throughput, every cell", Bound.AT_LEAST, 0.9, 0.9,
				(system) -> batching(system, (result, mode) -> result.ratio(system, mode, Measure.THROUGHPUT)));
		add("the same by CPU per call", Bound.AT_LEAST, 0.9, 0.9,
				(system) -> batching(system, (result, mode) -> result.ratio(mode, system, Measure.CPU)));
	}

	/** How good a system is beside one with another mode, 1 if equal. */
	private interface Comparing {

		double apply(ScenarioResult result, String mode);

	}

	private Figure batching(String system, Comparing comparing) {
		String part = system.equals(LOOP) ? Part.BATCHING_LOOP : Part.BATCHING;
		return worst(this.results.of(part), Bound.AT_LEAST, (each) -> Math
			.min(comparing.apply(each, system + "-always"), comparing.apply(each, system + "-never")));
	}

	private void addOverload() {
		addOverload("client without limit, then 50 clients: calls failed before their deadline", 0,
				OverloadRun.Outcome::failedEarly);
		addOverload("the same: growth of the used heap after GC in MiB", 5, OverloadRun.Outcome::heapGrowthMiB);
	}

	private void addOverload(String cell, double target, ToDoubleFunction<OverloadRun.Outcome> figure) {
		double value = this.results.overload().map(figure::applyAsDouble).orElse(NONE);
		this.rows.add(new TargetRow(cell, Bound.AT_MOST, NONE, Figure.NONE, target, Figure.of(value)));
	}

	private void add(String cell, Bound bound, double loopTarget, double target, Function<String, Figure> figure) {
		Figure loop = Double.isNaN(loopTarget) ? Figure.NONE : figure.apply(LOOP);
		this.rows.add(new TargetRow(cell, bound, loopTarget, loop, target, figure.apply(OURS)));
	}

	private static Predicate<ScenarioResult> is(BenchCall call, LoadSpec.Mode mode, int... callers) {
		return (result) -> {
			LoadSpec load = result.scenario().load();
			for (int each : callers) {
				if (load.callers() == each && load.mode() == mode && result.scenario().call() == call) {
					return true;
				}
			}
			return false;
		};
	}

	/** The worst cell, which is the one furthest from the good side. */
	private static Figure worst(Stream<ScenarioResult> cells, Bound bound, ToDoubleFunction<ScenarioResult> value) {
		Figure worst = Figure.NONE;
		for (ScenarioResult cell : cells.toList()) {
			double each = value.applyAsDouble(cell);
			boolean worse = (bound == Bound.AT_LEAST) ? each < worst.value() : each > worst.value();
			if (!Double.isNaN(each) && (Double.isNaN(worst.value()) || worse)) {
				worst = new Figure(each, cell.scenario().toString());
			}
		}
		return worst;
	}

}
