package io.rpcboot.hotpath;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.rpcboot.context.RpcContext;
import io.rpcboot.hotpath.CountingClassLoader.Executed;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the hot path: the lines and the types of the engine that one warmed blocking
 * call executes on both sides. They must be few enough to be read in one sitting.
 */
class HotPathIntegrationTests {

	private static final int MAX_LINES = 860;

	private static final int MAX_TYPES = 33;

	private static final int MAX_GRPC_LINES = 1600;

	private static final int MAX_GRPC_TYPES = 92;

	/** Share of the recorders of calls and of flushes, when metrics are on. */
	private static final int MICROMETER_LINES = 68;

	private static final int MICROMETER_TYPES = 5;

	private static final int WARM_UP_CALLS = 5000;

	/** One that waits because the machine is busy is none without trouble. */
	private static final int MEASURED_CALLS = 8;

	/** A sampled call may have fewer lines, and the type of its sample. */
	private static final Comparator<Executed> LEAST_FIRST = Comparator.comparingInt(Executed::types)
		.thenComparingInt(Executed::lines);

	private static final int MAX_LOOKS = 100;

	private static final Duration QUIET = Duration.ofMillis(200);

	/** Beats and looks, with calls and without, and what only they ask. */
	private static final Set<String> TIMERS = Set.of("LoopHeartbeat", "ResilientEventLoops", "PoolExhaustionMonitor",
			"QueueSweeper", "MinServiceTime", "WorkerPoolStats", "ConnectionPools", "ConnectionPool",
			"FrozenConnectionMonitor", "FrozenDetector", "StuckCallDetector", "ClientResources", "Connection");

	@ParameterizedTest
	@CsvSource({ "NATIVE, false", "NATIVE, true", "GRPC, false" })
	void hotPath_staysWithinLineAndTypeLimits(Protocol protocol, boolean micrometer) throws Exception {
		Map<String, Executed> executed = executedByOneCall(protocol, micrometer);
		StringBuilder list = new StringBuilder("The hot path of a blocking echo, %s, with %s:%n  lines  types  file%n"
			.formatted(protocol, micrometer ? "Micrometer" : "no metrics"));
		executed.forEach((file, part) -> list.append("  %5d  %5d  %s%n".formatted(part.lines(), part.types(), file)));
		Executed total = total(executed);
		list.append("  %d lines and %d types in %d files%n".formatted(total.lines(), total.types(), executed.size()));
		System.out.print(list);
		assertThat(executed.keySet()).as("both sides ran")
			.extracting(HotPathIntegrationTests::simpleName)
			.contains("ServiceProxy",
					(protocol == Protocol.NATIVE) ? "BinaryServerConnection" : "Http2ServerConnection");
		boolean isNative = protocol == Protocol.NATIVE;
		assertThat(total.lines()).as(list.toString())
			.isLessThanOrEqualTo((isNative ? MAX_LINES : MAX_GRPC_LINES) + (micrometer ? MICROMETER_LINES : 0));
		assertThat(total.types()).as(list.toString())
			.isLessThanOrEqualTo((isNative ? MAX_TYPES : MAX_GRPC_TYPES) + (micrometer ? MICROMETER_TYPES : 0));
	}

	private static Executed total(Map<String, Executed> executed) {
		return executed.values().stream().reduce(new Executed(0, 0), Executed::plus);
	}

	/** Name without the package, so that a class may move. */
	private static String simpleName(String file) {
		return file.substring(file.lastIndexOf('/') + 1, file.length() - ".java".length());
	}

	private static Map<String, Executed> executedByOneCall(Protocol protocol, boolean micrometer) throws Exception {
		ClassLoader parent = HotPathIntegrationTests.class.getClassLoader();
		try (CountingClassLoader loader = new CountingClassLoader(parent, RpcContext.class, RpcServer.class)) {
			Object run = loader.loadClass(EchoRun.class.getName())
				.getConstructor(String.class, boolean.class)
				.newInstance(protocol.name(), micrometer);
			try {
				Callable<?> call = (Callable<?>) run;
				for (int i = 0; i < WARM_UP_CALLS; i++) {
					call.call();
				}
				Map<String, Executed> least = executedBy(call, loader);
				for (int i = 1; i < MEASURED_CALLS; i++) {
					Map<String, Executed> executed = executedBy(call, loader);
					least = (LEAST_FIRST.compare(total(executed), total(least)) < 0) ? executed : least;
				}
				return least;
			}
			finally {
				((AutoCloseable) run).close();
			}
		}
	}

	private static Map<String, Executed> executedBy(Callable<?> call, CountingClassLoader loader) throws Exception {
		awaitQuiet(loader);
		assertThat((byte[]) call.call()).hasSize(128);
		return awaitAll(loader);
	}

	/** Wait until nothing runs, so that what runs afterwards belongs to the call. */
	private static void awaitQuiet(CountingClassLoader loader) throws IOException {
		Map<String, Executed> ran = Map.of();
		for (int i = 0; i < MAX_LOOKS; i++) {
			loader.reset();
			LockSupport.parkNanos(QUIET.toNanos());
			ran = executed(loader);
			if (ran.isEmpty()) {
				return;
			}
		}
		throw new AssertionError("runs without a call: " + ran);
	}

	private static Map<String, Executed> executed(CountingClassLoader loader) throws IOException {
		Map<String, Executed> all = new TreeMap<>(loader.executed());
		all.keySet().removeIf((file) -> TIMERS.contains(simpleName(file)));
		return all;
	}

	/** The caller has its answer before the other threads are done. */
	private static Map<String, Executed> awaitAll(CountingClassLoader loader) throws IOException {
		Map<String, Executed> before = executed(loader);
		for (int i = 0; i < MAX_LOOKS; i++) {
			LockSupport.parkNanos(QUIET.toNanos());
			Map<String, Executed> now = executed(loader);
			if (now.equals(before)) {
				return now;
			}
			before = now;
		}
		throw new AssertionError("still running: " + before);
	}

}
