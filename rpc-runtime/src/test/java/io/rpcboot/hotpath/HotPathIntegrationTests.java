package io.rpcboot.hotpath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.server.RpcServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the hot path: the source files of which a line is executed, on both sides, by
 * one warmed blocking call. They must be few enough to be read in one sitting.
 */
class HotPathIntegrationTests {

	private static final int MAX_FILES = 23;

	private static final int MAX_LINES = 2430;

	private static final int WARM_UP_CALLS = 5000;

	/**
	 * The recorders of calls and of flushes, and the tally of a batch: metrics are on the
	 * path when they are on.
	 */
	private static final int MICROMETER_FILES = 5;

	/** One that waits because the machine is busy is none without trouble. */
	private static final int MEASURED_CALLS = 3;

	private static final int MAX_LOOKS = 100;

	private static final Duration QUIET = Duration.ofMillis(200);

	/** Beats and looks, with calls and without, and what only they ask. */
	private static final Set<String> TIMERS = Set.of("io/rpcboot/internal/transport/LoopPulse.java",
			"io/rpcboot/server/PoolWatch.java", "io/rpcboot/server/QueueBeat.java",
			"io/rpcboot/server/MethodTimes.java", "io/rpcboot/internal/concurrent/PoolView.java",
			"io/rpcboot/client/EndpointPools.java", "io/rpcboot/client/EndpointPool.java",
			"io/rpcboot/client/SilentConnections.java", "io/rpcboot/client/Silence.java",
			"io/rpcboot/client/OverdueCalls.java", "io/rpcboot/client/ClientRuntime.java",
			"io/rpcboot/internal/transport/Connection.java");

	private static final Path SOURCES = Path.of("src", "main", "java");

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void hotPathIsOneSitting(boolean micrometer) throws Exception {
		Map<String, Integer> executed = executedByOneCall(micrometer);
		StringBuilder list = new StringBuilder("The hot path of a blocking echo, with %s:%n  executed  of lines  file%n"
			.formatted(micrometer ? "Micrometer" : "no metrics"));
		long total = 0;
		for (Map.Entry<String, Integer> each : executed.entrySet()) {
			long lines = SourceLines.count(Files.readString(SOURCES.resolve(each.getKey())));
			total += lines;
			list.append("  %8d  %8d  %s%n".formatted(each.getValue(), lines, each.getKey()));
		}
		list.append("  %d files, %d lines without comments and blank lines%n".formatted(executed.size(), total));
		System.out.print(list);
		assertThat(executed.keySet()).as("both sides ran")
			.contains("io/rpcboot/client/ServiceProxy.java", "io/rpcboot/server/ServerConnection.java");
		int adapters = micrometer ? MICROMETER_FILES : 0;
		assertThat(executed.size()).as(list.toString()).isLessThanOrEqualTo(MAX_FILES + adapters);
		assertThat(total).as(list.toString()).isLessThanOrEqualTo(MAX_LINES + adapters * 60L);
	}

	private static Map<String, Integer> executedByOneCall(boolean micrometer) throws Exception {
		ClassLoader parent = HotPathIntegrationTests.class.getClassLoader();
		try (CountingClassLoader loader = new CountingClassLoader(parent, RpcServer.class)) {
			Object run = loader.loadClass(EchoRun.class.getName())
				.getConstructor(boolean.class)
				.newInstance(micrometer);
			try {
				Callable<?> call = (Callable<?>) run;
				for (int i = 0; i < WARM_UP_CALLS; i++) {
					call.call();
				}
				Map<String, Integer> least = executedBy(call, loader);
				for (int i = 1; i < MEASURED_CALLS; i++) {
					Map<String, Integer> executed = executedBy(call, loader);
					least = (executed.size() < least.size()) ? executed : least;
				}
				return least;
			}
			finally {
				((AutoCloseable) run).close();
			}
		}
	}

	private static Map<String, Integer> executedBy(Callable<?> call, CountingClassLoader loader) throws Exception {
		awaitQuiet(loader);
		assertThat((byte[]) call.call()).hasSize(128);
		return awaitAll(loader);
	}

	/** Wait until nothing runs, so that what runs afterwards belongs to the call. */
	private static void awaitQuiet(CountingClassLoader loader) throws IOException {
		Map<String, Integer> ran = Map.of();
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

	private static Map<String, Integer> executed(CountingClassLoader loader) throws IOException {
		Map<String, Integer> all = new TreeMap<>(loader.executed());
		all.keySet().removeAll(TIMERS);
		return all;
	}

	/** The caller has its answer before the other threads are done. */
	private static Map<String, Integer> awaitAll(CountingClassLoader loader) throws IOException {
		Map<String, Integer> before = executed(loader);
		for (int i = 0; i < MAX_LOOKS; i++) {
			LockSupport.parkNanos(QUIET.toNanos());
			Map<String, Integer> now = executed(loader);
			if (now.equals(before)) {
				return now;
			}
			before = now;
		}
		throw new AssertionError("still running: " + before);
	}

}
