package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * gRPC over HTTP/2 by ours and by grpc-java, each client with each server, beside the
 * native protocol.
 */
final class H2Parts {

	/** Handlers and callbacks on event loops. */
	static final String LOOP = "h2-loop";

	/** Executors as they are without settings. */
	static final String DEFAULT = "h2";

	/**
	 * The write queue at both sides, at the client only and at none: then each frame is a
	 * task, a write and a flush.
	 */
	static final String QUEUE = "h2-queue";

	/** The echo of 64 KB. */
	static final String BODIES = "h2-bodies";

	/** Native calls alone, and in processes in which gRPC and JSON are hot. */
	static final String NATIVE = "h2-native";

	/** Callers that do not wait. */
	static final int ASYNC = 2;

	/** Callers of an article about the write queue of HTTP/2; the other has 32. */
	static final int MANY = 1_000;

	private static final int BODY = 64 << 10;

	private static final Timing TIMING = Timing.ofMillis(3, 700, 800, 10_000);

	private static final int FORKS = 2;

	private static final int NATIVE_FORKS = 5;

	private H2Parts() {
	}

	static List<Part> all() {
		return List.of(Part
			.of(LOOP, List.of("ours-h2-loop", "ours-loop", "grpc-direct", "grpc-to-ours-loop", "ours-loop-to-grpc"),
					scenarios(), TIMING)
			.withForks(FORKS),
				Part.of(DEFAULT, List.of("ours-h2", "ours", "grpc", "grpc-to-ours", "ours-to-grpc"), scenarios(),
						TIMING)
					.withForks(FORKS),
				queue(), Part.of(BODIES, List.of("ours-h2", "ours", "grpc"), bodies(), TIMING).withForks(FORKS),
				Part.of(NATIVE, List.of("ours-beside", "ours"), nativeScenarios(), Timing.ofMillis(9, 200, 350, 8_000))
					.withForks(NATIVE_FORKS));
	}

	private static List<Scenario> scenarios() {
		List<Scenario> scenarios = new ArrayList<>(
				List.of(Scenario.blocking(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.ECHO, 32),
						Scenario.blocking(BenchCall.ECHO, 128), Scenario.async(BenchCall.ECHO, ASYNC)));
		for (BenchCall call : BenchCall.COMPARED.subList(1, BenchCall.COMPARED.size())) {
			scenarios.add(Scenario.blocking(call, 32));
		}
		return scenarios;
	}

	private static Part queue() {
		List<Scenario> echo = List.of(Scenario.blocking(BenchCall.ECHO, 32), Scenario.blocking(BenchCall.ECHO, MANY),
				Scenario.async(BenchCall.ECHO, ASYNC));
		List<Scenario> scenarios = new ArrayList<>(echo);
		scenarios.add(Scenario.blocking(BenchCall.EXIST_USER, MANY));
		BenchCall.COMPARED.subList(1, BenchCall.COMPARED.size())
			.forEach((call) -> scenarios.add(Scenario.blocking(call, 32)));
		return Part.of(QUEUE, List.of("ours-h2", "ours-h2-client", "ours-h2-unqueued"), scenarios, TIMING)
			.withForks(FORKS)
			.withSystemCalls(echo);
	}

	private static List<Scenario> bodies() {
		List<Scenario> bodies = new ArrayList<>();
		for (int threads : new int[] { 1, 32, 128 }) {
			bodies.add(Scenario.blocking(BenchCall.ECHO, threads));
		}
		bodies.add(Scenario.async(BenchCall.ECHO, ASYNC));
		return bodies.stream().map((each) -> new Scenario(each.call(), each.load().withBody(BODY))).toList();
	}

	private static List<Scenario> nativeScenarios() {
		return List.of(Scenario.blocking(BenchCall.ECHO, 1), Scenario.blocking(BenchCall.ECHO, 32),
				Scenario.async(BenchCall.ECHO, 32), Scenario.blocking(BenchCall.EXIST_USER, 32),
				Scenario.blocking(BenchCall.GET_USER, 32), Scenario.blocking(BenchCall.LIST_USER, 32));
	}

}
