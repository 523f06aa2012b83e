package io.rpcboot.metrics.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("races")
class HistoryRaceTests {

	private static final int THREADS = 4;

	private static final int METHODS = 200;

	private static final int ROUNDS = 3_000;

	/**
	 * One call in so many may be lost: ticks follow each other at once here, and a thread
	 * that stands still over two of them counts where nobody looks any more.
	 */
	private static final long STALLED = 1000;

	private final ManualHistory manual = new ManualHistory();

	@Test
	void calls_areCountedOnce_whileTrackedMethodsChange() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<long[]>> running = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int seed = i;
				running.add(threads.submit((Callable<long[]>) () -> record(seed)));
			}
			int ticks = 0;
			while (running.stream().anyMatch((each) -> !each.isDone()) && ticks < 170) {
				this.manual.tick();
				ticks++;
				assertThat(this.manual.history.methods()).hasSizeLessThanOrEqualTo(METHODS);
				assertThat(this.manual.history.slowest()).hasSizeLessThanOrEqualTo(50);
			}
			long[] expected = new long[METHODS];
			for (Future<long[]> each : running) {
				Arrays.setAll(expected, (i) -> expected[i] + get(each)[i]);
			}
			this.manual.ticks(2);
			for (int i = 0; i < METHODS; i++) {
				assertThat(this.manual.stats(Side.CLIENT, i).calls()).as("method %d", i)
					.isBetween(expected[i] - expected[i] / STALLED, expected[i]);
			}
			double inValues = Arrays.stream(this.manual.history.values(0).values().get("clientCalls"))
				.filter((each) -> !Double.isNaN(each)) // a tick before there is a client
				.sum() * 5;
			long all = Arrays.stream(expected).sum();
			assertThat(Math.round(inValues)).isBetween(all - all / STALLED, all);
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Now these methods are busy, then those. */
	private long[] record(int seed) {
		long[] counts = new long[METHODS];
		long[] batch = { 1_000, 2_000, 2_001, 50_000, 1_000 };
		for (int round = 0; round < ROUNDS; round++) {
			for (int i = 0; i < 50; i++) {
				int number = (round / 100 * 37 + seed + i * 3) % METHODS;
				CallRecorder recorder = this.manual.client(number);
				recorder.record(RpcStatus.OK, batch, batch, batch.length, "");
				recorder.record(RpcStatus.APPLICATION, round, "");
				counts[number] += batch.length + 1;
			}
		}
		return counts;
	}

	private static long[] get(Future<long[]> each) {
		try {
			return each.get();
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

}
