package io.rpcboot.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * What to compare and for how long.
 *
 * @param systems the first is compared with each of the others
 * @param calls which calls
 * @param threads numbers of blocking threads
 * @param inFlight asynchronous calls in flight, 0 for no asynchronous load
 * @param rounds turns of each system in each scenario
 * @param slice length of a turn
 * @param warmup length of the turn before the first round
 * @param java the Java launcher of the measured processes
 * @param jvmArgs arguments of every measured process
 * @param output directory of the results
 */
record Options(List<RpcSystem> systems, List<BenchCall> calls, List<Integer> threads, int inFlight, int rounds,
		Duration slice, Duration warmup, Path java, List<String> jvmArgs, Path output) {

	static final String USAGE = """
			--quick                  under two minutes, for a first look
			--systems=ours,netty,grpc  the first is compared with each of the others
			--calls=echo,existUser,createUser,getUser,listUser
			--threads=1,32,128       blocking threads; empty for none
			--in-flight=1024         asynchronous calls in flight; 0 for none
			--rounds=11              turns of each system in each scenario
			--slice=700              milliseconds of a turn
			--warmup=1500            milliseconds before the first round of a scenario
			--java=<launcher>        Java of the measured processes (default: the one that runs this)
			--jvm-args=<arguments>   added to those of every measured process
			--output=<directory>     where the results go (default: target/benchmarks)""";

	private static final List<String> JVM_ARGS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC",
			"--enable-native-access=ALL-UNNAMED");

	static Options defaults() {
		return new Options(RpcSystem.all(), List.of(BenchCall.values()), List.of(1, 32, 128), 1024, 11,
				Duration.ofMillis(700), Duration.ofMillis(1500),
				Path.of(System.getProperty("java.home"), "bin", "java"), JVM_ARGS, Path.of("target", "benchmarks"));
	}

	static Options parse(String... args) {
		Options options = defaults();
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			options = options.with(parts[0], (parts.length == 2) ? parts[1] : "");
		}
		return options;
	}

	private Options with(String name, String value) {
		return switch (name) {
			case "--quick" -> withTimes(5, Duration.ofMillis(250), Duration.ofMillis(400));
			case "--rounds" -> withTimes(positive(name, value), this.slice, this.warmup);
			case "--slice" -> withTimes(this.rounds, Duration.ofMillis(positive(name, value)), this.warmup);
			case "--warmup" -> withTimes(this.rounds, this.slice, Duration.ofMillis(positive(name, value)));
			case "--systems" -> new Options(words(value).map(RpcSystem::of).toList(), this.calls, this.threads,
					this.inFlight, this.rounds, this.slice, this.warmup, this.java, this.jvmArgs, this.output);
			case "--calls" -> new Options(this.systems, words(value).map(BenchCall::of).toList(), this.threads,
					this.inFlight, this.rounds, this.slice, this.warmup, this.java, this.jvmArgs, this.output);
			case "--threads" ->
				new Options(this.systems, this.calls, words(value).map((word) -> positive(name, word)).toList(),
						this.inFlight, this.rounds, this.slice, this.warmup, this.java, this.jvmArgs, this.output);
			case "--in-flight" -> new Options(this.systems, this.calls, this.threads, number(name, value, 0),
					this.rounds, this.slice, this.warmup, this.java, this.jvmArgs, this.output);
			case "--java" -> new Options(this.systems, this.calls, this.threads, this.inFlight, this.rounds, this.slice,
					this.warmup, Path.of(value), this.jvmArgs, this.output);
			case "--jvm-args" -> new Options(this.systems, this.calls, this.threads, this.inFlight, this.rounds,
					this.slice, this.warmup, this.java, plus(this.jvmArgs, value), this.output);
			case "--output" -> new Options(this.systems, this.calls, this.threads, this.inFlight, this.rounds,
					this.slice, this.warmup, this.java, this.jvmArgs, Path.of(value));
			default -> throw new IllegalArgumentException("option: " + name + " (expected one of)\n" + USAGE);
		};
	}

	private Options withTimes(int newRounds, Duration newSlice, Duration newWarmup) {
		return new Options(this.systems, this.calls, this.threads, this.inFlight, newRounds, newSlice, newWarmup,
				this.java, this.jvmArgs, this.output);
	}

	private static List<String> plus(List<String> args, String more) {
		List<String> all = new ArrayList<>(args);
		all.addAll(Arrays.asList(more.trim().split("\\s+")));
		return List.copyOf(all);
	}

	private static Stream<String> words(String value) {
		return Arrays.stream(value.split(",")).map(String::trim).filter((word) -> !word.isEmpty());
	}

	private static int positive(String name, String value) {
		return number(name, value, 1);
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

	List<Scenario> scenarios() {
		List<Scenario> scenarios = new ArrayList<>();
		for (BenchCall call : this.calls) {
			this.threads.forEach((threads) -> scenarios.add(new Scenario(call, false, threads)));
			if (this.inFlight > 0) {
				scenarios.add(new Scenario(call, true, this.inFlight));
			}
		}
		return scenarios;
	}

}
