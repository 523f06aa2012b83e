package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * What is measured when nothing else is said.
 */
enum Preset {

	/** Everything of the table of targets, at most an hour. */
	FULL {
		@Override
		List<Part> parts() {
			Timing batching = Timing.ofMillis(7, 400, 600, 12_000);
			return List.of(main(),
					Part.of(Part.BATCHING, List.of("ours", "ours-always", "ours-never"), batchingScenarios(), batching)
						.withForks(2),
					Part.of(Part.BATCHING_LOOP, List.of("ours-loop", "ours-loop-always", "ours-loop-never"),
							batchingScenarios(), batching)
						.withForks(2),
					Part.of(Part.VIRTUAL, OURS, virtualScenarios(), Timing.ofMillis(7, 700, 1_500, 12_000))
						.withVirtualThreads(),
					Part.of(Part.BURST, List.of("ours-burst"), List.of(new Scenario(BenchCall.ECHO, LoadSpec.burst())),
							Timing.ofMillis(5, 1_000, 3_000, 0)));
		}
	},

	/** Raw Netty, grpc-java and ours in six cells, at most six minutes. */
	SHORT {
		@Override
		List<Part> parts() {
			List<Scenario> echo = List.of(Scenario.blocking(BenchCall.ECHO, 32), Scenario.async(BenchCall.ECHO, 32));
			return List.of(Part
				.of(Part.MAIN, List.of("ours", "ours-loop", "netty", "grpc"),
						List.of(Scenario.blocking(BenchCall.ECHO, 1), echo.get(0), Scenario.async(BenchCall.ECHO, 1),
								echo.get(1), Scenario.blocking(BenchCall.EXIST_USER, 32),
								Scenario.blocking(BenchCall.LIST_USER, 32)),
						Timing.ofMillis(5, 500, 800, 20_000))
				.withSystemCalls(echo));
		}
	},

	/** A first look. */
	QUICK {
		@Override
		List<Part> parts() {
			return List.of(Part.of(Part.MAIN, List.of("ours", "netty", "grpc"),
					List.of(Scenario.blocking(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.ECHO, 32),
							Scenario.async(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.EXIST_USER, 32)),
					Timing.ofMillis(5, 250, 400, 12_000)));
		}
	},

	/** The four user calls, a fixed number of each, as Toy-RPC's article measures. */
	TOY {
		@Override
		List<Part> parts() {
			return List.of();
		}
	},

	/** This build beside an older one, at most twenty minutes. */
	GATE {
		@Override
		List<Part> parts() {
			List<Scenario> loop = new ArrayList<>(echoes());
			loop.add(Scenario.blocking(BenchCall.EXIST_USER, 32));
			loop.add(Scenario.async(BenchCall.EXIST_USER, 32));
			List<Scenario> all = new ArrayList<>(loop);
			all.add(Scenario.blocking(BenchCall.CREATE_USER, 32));
			all.add(Scenario.blocking(BenchCall.GET_USER, 32));
			all.add(Scenario.blocking(BenchCall.LIST_USER, 32));
			Timing timing = Timing.ofMillis(9, 300, 500, 10_000);
			return List.of(Part.of(Part.GATE, List.of("ours", "before"), all, timing).withForks(GATE_FORKS),
					Part.of(Part.GATE_LOOP, List.of("ours-loop", "before-loop"), loop, timing).withForks(GATE_FORKS),
					Part.of(Part.GATE_INSTANCES, List.of("ours-3", "before-3", "ours-10", "before-10"),
							List.of(Scenario.blocking(BenchCall.ECHO, 32), Scenario.async(BenchCall.ECHO, 32)), timing)
						.withForks(GATE_FORKS));
		}
	},

	/** The same in six cells, at most six minutes. */
	GATE_SHORT {
		@Override
		List<Part> parts() {
			return List
				.of(Part
					.of(Part.GATE, List.of("ours", "before"),
							List.of(Scenario.blocking(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.ECHO, 32),
									Scenario.async(BenchCall.ECHO, 32), Scenario.blocking(BenchCall.EXIST_USER, 32),
									Scenario.blocking(BenchCall.GET_USER, 32),
									Scenario.blocking(BenchCall.LIST_USER, 32)),
							Timing.ofMillis(9, 200, 350, 8_000))
					.withForks(GATE_FORKS));
		}
	},

	/** This build beside an older one over gRPC, at most eight minutes. */
	GATE_H2_SHORT {
		@Override
		List<Part> parts() {
			Timing timing = Timing.ofMillis(9, 200, 350, 8_000);
			return List.of(
					Part.of(Part.GATE, List.of("ours-h2", "before-h2"),
							List.of(Scenario.blocking(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.ECHO, 32),
									Scenario.async(BenchCall.ECHO, 32), Scenario.blocking(BenchCall.GET_USER, 32),
									Scenario.blocking(BenchCall.LIST_USER, 32)),
							timing)
						.withForks(GATE_FORKS),
					Part.of(Part.GATE_LOOP, List.of("ours-h2-loop", "before-h2-loop"),
							List.of(Scenario.async(BenchCall.ECHO, 32)), timing)
						.withForks(GATE_FORKS));
		}
	},

	/** One, three and ten instances, and each balancer among ten; five minutes. */
	INSTANCES {
		@Override
		List<Part> parts() {
			return List.of(Part.of(Part.INSTANCES,
					List.of("ours", "ours-3", "ours-random-10", "ours-round-robin-10", "ours-least-pending-10",
							"ours-power-of-two-10"),
					List.of(Scenario.blocking(BenchCall.ECHO, 32), Scenario.async(BenchCall.ECHO, 32)),
					Timing.ofMillis(9, 300, 500, 10_000))
				.withForks(3));
		}
	},

	/** The echo of 16 bytes to 4 MB, at most ten minutes. */
	PAYLOAD {
		@Override
		List<Part> parts() {
			return List.of(PayloadPart.of(PayloadPart.SYSTEMS, PayloadPart.SIZES, PayloadPart.THREADS));
		}
	},

	/** gRPC over HTTP/2, ours and grpc-java, beside the native protocol; half an hour. */
	H2 {
		@Override
		List<Part> parts() {
			return H2Parts.all();
		}
	},

	/**
	 * TLS of the JDK and of BoringSSL, ours and grpc-java, beside clear text; ten
	 * minutes.
	 */
	TLS {
		@Override
		List<Part> parts() {
			return List.of(TlsPart.of());
		}
	},

	/** Servers that get more calls than they can do, half an hour. */
	GOODPUT {
		@Override
		List<Part> parts() {
			return List.of();
		}
	},

	/** Streams beside grpc-java and RSocket, nine minutes. */
	STREAMS {
		@Override
		List<Part> parts() {
			return List.of();
		}
	},

	/** JSON over HTTP beside Spring MVC and Netty, eight minutes. */
	JSON {
		@Override
		List<Part> parts() {
			return List.of();
		}
	};

	/** Asynchronous calls in flight, over all callers. */
	static final int IN_FLIGHT = 1024;

	private static final List<String> OURS = List.of("ours", "ours-loop");

	private static final int SLEEPING_CALLERS = 200;

	/** Code is compiled differently in each process, which is most of the noise. */
	private static final int GATE_FORKS = 5;

	abstract List<Part> parts();

	/** Whether it is not made of parts in which systems take turns. */
	boolean isApart() {
		return this == TOY || this == GOODPUT || this == STREAMS || this == JSON;
	}

	/** Whether it ends with the verdict of the speed gate. */
	boolean isGate() {
		return this == GATE || this == GATE_SHORT || this == GATE_H2_SHORT;
	}

	private static List<Scenario> echoes() {
		return List.of(Scenario.blocking(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.ECHO, 32),
				Scenario.blocking(BenchCall.ECHO, 128), Scenario.async(BenchCall.ECHO, 1),
				Scenario.async(BenchCall.ECHO, 32));
	}

	private static Part main() {
		List<Scenario> scenarios = new ArrayList<>();
		for (int threads : new int[] { 1, 32, 128 }) {
			scenarios.add(Scenario.blocking(BenchCall.ECHO, threads));
		}
		for (int callers : new int[] { 1, 4, 32 }) {
			scenarios.add(Scenario.async(BenchCall.ECHO, callers));
		}
		for (BenchCall call : BenchCall.COMPARED.subList(1, BenchCall.COMPARED.size())) {
			scenarios.add(Scenario.blocking(call, 32));
			scenarios.add(Scenario.async(call, 32));
		}
		List<Scenario> latencies = scenarios.stream()
			.filter((each) -> each.load().callers() == 32)
			.filter((each) -> each.load().mode() == LoadSpec.Mode.BLOCKING || each.call() == BenchCall.ECHO
					|| each.call() == BenchCall.EXIST_USER)
			.toList();
		List<Scenario> counted = scenarios.stream()
			.filter((each) -> each.call() == BenchCall.ECHO && each.load().callers() <= 32)
			.toList();
		scenarios.add(Scenario.blocking(BenchCall.SLEEP_10, SLEEPING_CALLERS));
		return Part
			.of(Part.MAIN, List.of("ours", "ours-loop", "netty", "grpc", "grpc-direct", "dubbo", "sofarpc", "rocketmq"),
					scenarios, Timing.ofMillis(7, 600, 1_000, 30_000))
			.withLatencies(latencies)
			.withSystemCalls(counted);
	}

	private static List<Scenario> batchingScenarios() {
		List<Scenario> scenarios = new ArrayList<>();
		for (int callers : new int[] { 1, 32, 128, 256 }) {
			scenarios.add(Scenario.blocking(BenchCall.ECHO, callers));
			scenarios.add(Scenario.async(BenchCall.ECHO, callers));
		}
		return scenarios;
	}

	private static List<Scenario> virtualScenarios() {
		return List.of(Scenario.blocking(BenchCall.ECHO, 128), new Scenario(BenchCall.ECHO, LoadSpec.virtual(128)),
				new Scenario(BenchCall.ECHO, LoadSpec.virtual(1_000)));
	}

	/**
	 * Read an option.
	 * @throws IllegalArgumentException if it is none of these
	 */
	static Preset of(String word) {
		for (Preset preset : values()) {
			if (preset.word().equals(word)) {
				return preset;
			}
		}
		throw new IllegalArgumentException(
				"--preset: " + word + " (expected one of " + Arrays.stream(values()).map(Preset::word).toList() + ")");
	}

	private String word() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
