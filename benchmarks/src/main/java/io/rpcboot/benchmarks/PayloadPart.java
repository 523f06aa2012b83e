package io.rpcboot.benchmarks;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * The echo of bodies of many sizes.
 */
final class PayloadPart {

	/** The limit: what Netty alone does with such bodies. */
	static final String RAW = "netty-payload";

	static final List<String> SYSTEMS = List.of("ours", RAW, "grpc");

	static final List<Integer> SIZES = List.of(16, 256, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20);

	static final List<Integer> THREADS = List.of(1, 16);

	private static final Timing TIMING = Timing.ofMillis(7, 800, 800, 15_000);

	private PayloadPart() {
	}

	/**
	 * The part.
	 * @param systems the first is compared with each of the others
	 * @param sizes of the bodies in bytes
	 * @param threads blocking callers
	 */
	static Part of(List<String> systems, List<Integer> sizes, List<Integer> threads) {
		List<Scenario> scenarios = new ArrayList<>();
		for (int callers : threads) {
			for (int size : sizes) {
				Scenario scenario = Scenario.blocking(BenchCall.ECHO, callers);
				scenarios.add(new Scenario(scenario.call(), scenario.load().withBody(size)));
			}
		}
		return Part.of(Part.PAYLOAD, systems, scenarios, TIMING);
	}

}
