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
 * @param preparation how long each system works before the first scenario
 * @param java the Java launcher of the measured processes
 * @param jvmArgs arguments of every measured process
 * @param output directory of the results
 */
record Options(List<RpcSystem> systems, List<BenchCall> calls, List<Integer> threads, int inFlight, int rounds,
		Duration slice, Duration warmup, Duration preparation, Path java, List<String> jvmArgs, Path output) {

	static final String USAGE = """
			--quick                  under two minutes, echo and existUser, for a first look
			--systems=ours,netty,grpc  the first is compared with each of the others; also grpc-direct
			--calls=echo,existUser,createUser,getUser,listUser
			--threads=1,32,128       blocking threads; empty for none
			--in-flight=1024         asynchronous calls in flight; 0 for none
			--rounds=9               turns of each system in each scenario
			--slice=700              milliseconds of a turn
			--warmup=1500            milliseconds before the first round of a scenario
			--preparation=30000      milliseconds that each system works before the first scenario
			--java=<launcher>        Java of the measured processes (default: the one that runs this)
			--jvm-args=<arguments>   added to those of every measured process
			--output=<directory>     where the results go (default: target/benchmarks)""";

	private static final List<String> JVM_ARGS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC",
			"--enable-native-access=ALL-UNNAMED");

	static Options parse(String... args) {
		Parser parser = new Parser();
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			parser.accept(parts[0], (parts.length == 2) ? parts[1] : "");
		}
		return parser.options();
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

	/** Collects what the arguments say, over the defaults. */
	private static final class Parser {

		private List<RpcSystem> systems = words("ours,netty,grpc").map(RpcSystem::of).toList();

		private List<BenchCall> calls = List.of(BenchCall.values());

		private List<Integer> threads = List.of(1, 32, 128);

		private int inFlight = 1024;

		private int rounds = 9;

		private int slice = 700;

		private int warmup = 1500;

		private int preparation = 30_000;

		private Path java = Path.of(System.getProperty("java.home"), "bin", "java");

		private final List<String> jvmArgs = new ArrayList<>(JVM_ARGS);

		private Path output = Path.of("target", "benchmarks");

		void accept(String name, String value) {
			switch (name) {
				case "--quick" -> quick();
				case "--systems" -> this.systems = words(value).map(RpcSystem::of).toList();
				case "--calls" -> this.calls = words(value).map(BenchCall::of).toList();
				case "--threads" -> this.threads = words(value).map((word) -> number(name, word, 1)).toList();
				case "--in-flight" -> this.inFlight = number(name, value, 0);
				case "--rounds" -> this.rounds = number(name, value, 1);
				case "--slice" -> this.slice = number(name, value, 1);
				case "--warmup" -> this.warmup = number(name, value, 1);
				case "--preparation" -> this.preparation = number(name, value, 0);
				case "--java" -> this.java = Path.of(value);
				case "--jvm-args" -> this.jvmArgs.addAll(Arrays.asList(value.trim().split("\\s+")));
				case "--output" -> this.output = Path.of(value);
				default -> throw new IllegalArgumentException("option: " + name + " (expected one of)\n" + USAGE);
			}
		}

		private void quick() {
			this.calls = List.of(BenchCall.ECHO, BenchCall.EXIST_USER);
			this.rounds = 5;
			this.slice = 250;
			this.warmup = 400;
			this.preparation = 15_000;
		}

		private static Stream<String> words(String value) {
			return Arrays.stream(value.split(",")).map(String::trim).filter((word) -> !word.isEmpty());
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

		Options options() {
			if (this.systems.isEmpty() || this.calls.isEmpty()) {
				throw new IllegalArgumentException("--systems, --calls: empty (expected: at least one)");
			}
			return new Options(this.systems, this.calls, this.threads, this.inFlight, this.rounds,
					Duration.ofMillis(this.slice), Duration.ofMillis(this.warmup), Duration.ofMillis(this.preparation),
					this.java, List.copyOf(this.jvmArgs), this.output);
		}

	}

}
