package io.rpcboot.benchmarks;

import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * The native protocol and grpc-java over mutual TLS 1.3, with both engines, beside clear
 * text.
 */
final class TlsPart {

	static final String NAME = "tls";

	static final String JDK = "jdk";

	static final String OPENSSL = "openssl";

	/** Engines, with what reports call them. */
	static final List<String> ENGINES = List.of(JDK, OPENSSL);

	static final List<Scenario> SMALL = List.of(Scenario.blocking(BenchCall.ECHO, 32),
			Scenario.async(BenchCall.ECHO, 32));

	static final Scenario LARGE = new Scenario(BenchCall.ECHO, LoadSpec.blocking(16).withBody(64 << 10));

	static final List<String> SYSTEMS = List.of("ours", ours(JDK), ours(OPENSSL), "grpc", grpc(JDK), grpc(OPENSSL));

	private static final Timing TIMING = Timing.ofMillis(9, 700, 800, 10_000);

	private static final int FORKS = 2;

	private TlsPart() {
	}

	static String ours(String engine) {
		return "ours-tls-" + engine;
	}

	static String grpc(String engine) {
		return "grpc-tls-" + engine;
	}

	static List<Scenario> scenarios() {
		return Stream.concat(SMALL.stream(), Stream.of(LARGE)).toList();
	}

	static Part of() {
		return Part.of(NAME, SYSTEMS, scenarios(), TIMING).withForks(FORKS);
	}

}
