package io.rpcboot.samples.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Providers of the whole thing come and go. */
class ProvidersIntegrationTests {

	private static final String SHORT = "--rpc.quickstart.load-time=300ms";

	@Test
	void secondProvider_takesCalls_afterJoining(@TempDir Path directory) throws Exception {
		try (Quickstart quickstart = Quickstart.start(SHORT)) {
			Process second = new ProcessBuilder(quickstart.providerCommand()).redirectErrorStream(true)
				.redirectOutput(directory.resolve("second.log").toFile())
				.start();
			try {
				ByteArrayOutputStream bytes = new ByteArrayOutputStream();
				quickstart.goOnCalling(new PrintStream(bytes, true, StandardCharsets.UTF_8));
				await(() -> bytes.toString(StandardCharsets.UTF_8).lines().anyMatch((line) -> line.contains(", ")));
				// one that has just started gets few calls, then more
				await(() -> isShared(quickstart));
			}
			finally {
				second.destroy();
				second.waitFor(30, TimeUnit.SECONDS);
			}
		}
	}

	@Test
	void calls_succeedAgain_afterOnlyProviderRestarts() throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (Quickstart quickstart = Quickstart.start(SHORT, "--quickstart.show=provider-comes-and-goes",
				"--quickstart.show-turn=2s")) {
			quickstart.goOnCalling(new PrintStream(bytes, true, StandardCharsets.UTF_8));
			await(() -> bytes.toString(StandardCharsets.UTF_8).contains("getUser: right again after "));
			assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("Show: the only provider stops")
				.contains("getUser: io.rpcboot.samples.quickstart.api.UserService.getUser(long): UNAVAILABLE")
				.contains("Show: it is back");
		}
	}

	private static boolean isShared(Quickstart quickstart) {
		long before = quickstart.providerCalls();
		Report report;
		try {
			report = quickstart.callEverything();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
		assertThat(report.load().wrong()).isZero();
		long first = quickstart.providerCalls() - before;
		assertThat(first).isPositive();
		return first < report.calls();
	}

	private static void await(BooleanSupplier condition) {
		long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
	}

}
