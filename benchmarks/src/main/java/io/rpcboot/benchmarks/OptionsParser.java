package io.rpcboot.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.streams.Direction;
import io.rpcboot.benchmarks.streams.StreamSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the arguments say, over what the preset says.
 */
final class OptionsParser {

	private static final List<Integer> DEFAULT_THREADS = List.of(1, 32, 128);

	private static final List<Integer> DEFAULT_CALLERS = List.of(1, 32);

	private static final int OVERLOAD_SECONDS = 60;

	private static final double MOST_BOUND = 10;

	private Preset preset = Preset.FULL;

	private @Nullable List<String> systems;

	private @Nullable List<BenchCall> calls;

	private @Nullable List<Integer> threads;

	private @Nullable List<Integer> virtual;

	private @Nullable List<Integer> callers;

	private @Nullable List<Integer> sizes;

	private @Nullable List<Direction> directions;

	private @Nullable List<Integer> streams;

	private @Nullable List<String> parts;

	/** What is said of them; null for nothing. */
	private @Nullable GoodputOptions goodput;

	private boolean latencies;

	private @Nullable Integer rounds;

	private @Nullable Integer slice;

	private @Nullable Integer warmup;

	private @Nullable Integer preparation;

	private @Nullable Integer forks;

	private @Nullable Integer overloadSeconds;

	private String overloadSystem = "ours-block";

	private int toyThreads = 32;

	private int requests = 96_000;

	private int warmupRounds = 3;

	private GateBounds gate = GateBounds.DEFAULT;

	private @Nullable Baseline baseline;

	private Path java = Launchers.own();

	private @Nullable Path virtualJava;

	private final List<String> jvmArgs = new ArrayList<>();

	private Path output = Path.of("target", "benchmarks");

	void accept(String name, String value) {
		switch (name) {
			case "--preset" -> this.preset = Preset.of(value);
			case "--quick" -> this.preset = Preset.QUICK;
			case "--systems" -> this.systems = words(value).toList();
			case "--calls" -> this.calls = words(value).map(BenchCall::of).toList();
			case "--threads" -> this.threads = numbers(name, value);
			case "--virtual" -> this.virtual = numbers(name, value);
			case "--callers" -> this.callers = numbers(name, value);
			case "--sizes" -> this.sizes = numbers(name, value);
			case "--directions" -> this.directions = words(value).map(Direction::of).toList();
			case "--streams" -> this.streams = numbers(name, value);
			case "--seconds" -> this.goodput = goodput().withSeconds(number(name, value, 1));
			case "--capacities" ->
				this.goodput = goodput().withCapacities(words(value).map(GoodputCell.Capacity::of).toList());
			case "--timeouts" -> this.goodput = goodput().withTimeouts(numbers(name, value));
			case "--clients" -> this.goodput = goodput().withClients(numbers(name, value));
			case "--open" -> this.goodput = goodput().withOpen(numbers(name, value));
			case "--latencies" -> this.latencies = true;
			case "--parts" -> this.parts = words(value).toList();
			case "--rounds" -> this.rounds = number(name, value, 1);
			case "--slice" -> this.slice = number(name, value, 1);
			case "--warmup" -> this.warmup = number(name, value, 1);
			case "--preparation" -> this.preparation = number(name, value, 0);
			case "--forks" -> this.forks = number(name, value, 1);
			case "--baseline" -> this.baseline = Baseline.of(Path.of(value));
			case "--gate-mean" -> this.gate = this.gate.withMean(bound(name, value));
			case "--gate-cell" -> this.gate = this.gate.withCell(bound(name, value));
			case "--overload-seconds" -> this.overloadSeconds = number(name, value, 0);
			case "--overload-system" -> this.overloadSystem = value;
			case "--toy-threads" -> this.toyThreads = number(name, value, 1);
			case "--requests" -> this.requests = number(name, value, 1);
			case "--warmup-rounds" -> this.warmupRounds = number(name, value, 0);
			case "--java" -> this.java = Path.of(value);
			case "--virtual-java" -> this.virtualJava = Path.of(value);
			case "--jvm-args" -> this.jvmArgs.addAll(Arrays.asList(value.trim().split("\\s+")));
			case "--output" -> this.output = Path.of(value);
			default -> throw new IllegalArgumentException("option: " + name + " (expected one of)\n" + Options.USAGE);
		}
	}

	private static Stream<String> words(String value) {
		return Arrays.stream(value.split(",")).map(String::trim).filter((word) -> !word.isEmpty());
	}

	private static List<Integer> numbers(String name, String value) {
		return words(value).map((word) -> number(name, word, 1)).toList();
	}

	private static int number(String name, String value, int min) {
		try {
			int number = Integer.parseInt(value);
			if (number >= min) {
				return number;
			}
		}
		catch (NumberFormatException ignored) {
			// said below
		}
		throw new IllegalArgumentException(name + ": " + value + " (expected: a number, at least " + min + ")");
	}

	/** A ratio to the older build; a bound far from 1 is a slip of the hand. */
	private static double bound(String name, String value) {
		try {
			double bound = Double.parseDouble(value);
			if (bound > 0 && bound < MOST_BOUND) {
				return bound;
			}
		}
		catch (NumberFormatException ignored) {
			// said below
		}
		throw new IllegalArgumentException(name + ": " + value + " (expected: a ratio such as 0.97)");
	}

	Options options() {
		Path virtualLauncher = (this.virtualJava != null) ? this.virtualJava : Environment.virtualJava(this.java);
		Environment environment = new Environment(this.java, virtualLauncher, allJvmArgs(), this.output, this.baseline);
		List<Part> chosen = parts().stream().filter((part) -> wanted(part.name())).map(this::timed).toList();
		chosen.forEach((part) -> part.systems().forEach(environment::system));
		GoodputOptions overloaded = goodputOptions();
		if (this.preset == Preset.GOODPUT) {
			overloaded.systems().forEach(environment::system);
		}
		OverloadOptions overload = overload();
		boolean h2load = this.preset == Preset.H2 && !isOwn() && wanted(H2Load.NAME);
		boolean tlsCosts = this.preset == Preset.TLS && !isOwn() && wanted(TlsCosts.NAME);
		if (!this.preset.isApart() && chosen.isEmpty() && overload.seconds() == 0 && !h2load && !tlsCosts) {
			throw new IllegalArgumentException(
					"--parts: " + this.parts + " (expected: at least one that this preset has, see --help)");
		}
		StreamsOptions streamed = streamsOptions();
		JsonOptions json = jsonOptions();
		if (this.preset == Preset.JSON) {
			json.systems().forEach(environment::system);
		}
		return new Options(this.preset, chosen, overload, toy(), overloaded, streamed, json, this.gate, h2load,
				tlsCosts, environment);
	}

	/** What is said comes last, and so counts. */
	private List<String> allJvmArgs() {
		List<String> all = new ArrayList<>((this.preset == Preset.GOODPUT || isBesideOthers())
				? Environment.SMALL_JVM_ARGS : Environment.JVM_ARGS);
		all.addAll(this.jvmArgs);
		return List.copyOf(all);
	}

	private List<Part> parts() {
		if (this.preset == Preset.PAYLOAD) {
			return List.of(payloadPart());
		}
		if (this.sizes != null && this.preset != Preset.STREAMS) {
			throw new IllegalArgumentException(
					"--sizes: " + this.sizes + " (expected: only with --preset=payload or streams)");
		}
		return isOwn() ? List.of(ownPart()) : this.preset.parts();
	}

	private Part payloadPart() {
		if (this.calls != null || this.virtual != null || this.callers != null || this.latencies) {
			throw new IllegalArgumentException("--calls, --virtual, --callers, --latencies: with --preset=payload"
					+ " (expected: --systems, --sizes and --threads only)");
		}
		List<String> otherwise = new ArrayList<>(PayloadPart.SYSTEMS);
		if (this.baseline != null) {
			otherwise.add(1, "before");
		}
		return PayloadPart.of((this.systems != null) ? this.systems : otherwise, or(this.sizes, PayloadPart.SIZES),
				or(this.threads, PayloadPart.THREADS));
	}

	/** Whether systems or scenarios are said, so that the targets are not the point. */
	private boolean isOwn() {
		return !this.preset.isApart() && (this.systems != null || this.calls != null || this.threads != null
				|| this.virtual != null || this.callers != null || this.latencies);
	}

	private Part ownPart() {
		List<String> ownSystems = (this.systems != null) ? this.systems : this.preset.parts().get(0).systems();
		List<BenchCall> ownCalls = (this.calls != null) ? this.calls : BenchCall.COMPARED;
		if (ownSystems.isEmpty() || ownCalls.isEmpty()) {
			throw new IllegalArgumentException("--systems, --calls: empty (expected: at least one)");
		}
		List<Scenario> scenarios = new ArrayList<>();
		for (BenchCall call : ownCalls) {
			or(this.threads, DEFAULT_THREADS).forEach((count) -> scenarios.add(Scenario.blocking(call, count)));
			or(this.virtual, List.of()).forEach((count) -> scenarios.add(new Scenario(call, LoadSpec.virtual(count))));
			or(this.callers, DEFAULT_CALLERS).forEach((count) -> scenarios.add(Scenario.async(call, count)));
		}
		Part first = this.preset.parts().get(0);
		Part part = Part.of(Part.MAIN, ownSystems, scenarios, first.timing())
			.withForks(first.forks())
			.withSystemCalls(this.preset.isGate() ? List.of() : scenarios)
			.withLatencies(this.latencies ? scenarios : List.of());
		return or(this.virtual, List.of()).isEmpty() ? part : part.withVirtualThreads();
	}

	private static List<Integer> or(@Nullable List<Integer> said, List<Integer> otherwise) {
		return (said != null) ? said : otherwise;
	}

	private Part timed(Part part) {
		Timing timing = part.timing();
		Timing said = Timing.ofMillis((this.rounds != null) ? this.rounds : timing.rounds(),
				(this.slice != null) ? this.slice : Math.toIntExact(timing.slice().toMillis()),
				(this.warmup != null) ? this.warmup : Math.toIntExact(timing.warmup().toMillis()),
				(this.preparation != null) ? this.preparation : Math.toIntExact(timing.preparation().toMillis()));
		return part.withTiming(said).withForks((this.forks != null) ? this.forks : part.forks());
	}

	private boolean wanted(String part) {
		return this.parts == null || this.parts.contains(part);
	}

	private OverloadOptions overload() {
		boolean included = this.preset == Preset.FULL && !isOwn() && wanted(OverloadRun.NAME);
		int otherwise = included ? OVERLOAD_SECONDS : 0;
		return new OverloadOptions((this.overloadSeconds != null) ? this.overloadSeconds : otherwise,
				this.overloadSystem);
	}

	private GoodputOptions goodput() {
		return (this.goodput != null) ? this.goodput : GoodputOptions.DEFAULT;
	}

	private GoodputOptions goodputOptions() {
		if (this.goodput != null && this.preset != Preset.GOODPUT) {
			throw new IllegalArgumentException(
					"--seconds, --capacities, --timeouts, --clients, --open (expected: only with --preset=goodput)");
		}
		if ((this.preset == Preset.GOODPUT || isBesideOthers()) && (this.calls != null || this.threads != null
				|| this.virtual != null || this.callers != null || this.latencies)) {
			throw new IllegalArgumentException("--threads, --calls, --virtual, --callers, --latencies: with"
					+ " --preset=goodput, streams or json (expected: its own options only, see --help)");
		}
		List<String> otherwise = new ArrayList<>(goodput().systems());
		if (this.baseline != null) {
			otherwise.add(1, "before");
		}
		GoodputOptions chosen = goodput().withSystems((this.systems != null) ? this.systems : otherwise);
		if (this.preset == Preset.GOODPUT && (chosen.systems().isEmpty() || chosen.cells().isEmpty())) {
			throw new IllegalArgumentException(
					"--systems, --capacities, --timeouts, --clients, --open: no cell (expected: at least one)");
		}
		return chosen;
	}

	/** Whether many processes live at the same time, so that each has a small heap. */
	private boolean isBesideOthers() {
		return this.preset == Preset.STREAMS || this.preset == Preset.JSON;
	}

	private StreamsOptions streamsOptions() {
		StreamsOptions otherwise = StreamsOptions.DEFAULT;
		if (this.preset != Preset.STREAMS) {
			if (this.directions != null || this.streams != null) {
				throw new IllegalArgumentException("--directions, --streams (expected: only with --preset=streams)");
			}
			return otherwise;
		}
		List<String> chosen = (this.systems != null) ? this.systems : otherwise.systems();
		chosen.forEach(StreamSystem::of);
		StreamsOptions said = new StreamsOptions(chosen,
				(this.directions != null) ? this.directions : otherwise.directions(),
				or(this.streams, otherwise.streams()), or(this.sizes, otherwise.sizes()),
				or(this.forks, otherwise.forks()), or(this.rounds, otherwise.rounds()),
				or(this.slice, otherwise.sliceMillis()), or(this.preparation, otherwise.preparationMillis()));
		if (said.systems().isEmpty() || said.cells().isEmpty()) {
			throw new IllegalArgumentException(
					"--systems, --directions, --streams, --sizes: no cell (expected: at least one)");
		}
		return said;
	}

	private JsonOptions jsonOptions() {
		JsonOptions otherwise = JsonOptions.DEFAULT;
		if (this.preset != Preset.JSON) {
			return otherwise;
		}
		List<String> chosen = (this.systems != null) ? this.systems : otherwise.systems();
		if (chosen.isEmpty()) {
			throw new IllegalArgumentException("--systems: empty (expected: at least one)");
		}
		return new JsonOptions(chosen, or(this.forks, otherwise.forks()), or(this.rounds, otherwise.rounds()),
				or(this.slice, otherwise.sliceMillis()), or(this.preparation, otherwise.preparationMillis()));
	}

	private static int or(@Nullable Integer said, int otherwise) {
		return (said != null) ? said : otherwise;
	}

	private ToyOptions toy() {
		return new ToyOptions((this.systems != null) ? this.systems : List.of("ours", "dubbo"), this.toyThreads,
				this.requests, this.warmupRounds, (this.rounds != null) ? this.rounds : 5);
	}

}
