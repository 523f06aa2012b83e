package io.rpcboot.metrics.history;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import com.sun.management.ThreadMXBean;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HistoryCostTests {

	private static final int METHODS = 10_000;

	private static final int HISTORIES = 8;

	private static final long LIMIT = 2 * 1024 * 1024;

	private static final long NOISE = 64 * 1024;

	private final List<MethodDescriptor> methods = new ArrayList<>();

	HistoryCostTests() {
		for (int i = 0; i < METHODS; i++) {
			this.methods.add(ManualHistory.method(i));
		}
	}

	@Test
	void history_usesAtMost2MB_atFullUse() {
		List<ManualHistory> histories = new ArrayList<>();
		histories.add(fullyUsed());
		long before = used();
		for (int i = 0; i < HISTORIES; i++) {
			histories.add(fullyUsed());
		}
		long each = (used() - before) / HISTORIES;
		assertThat(each).as("bytes of one history").isBetween(LIMIT / 2, LIMIT);
		assertThat(histories).allSatisfy((one) -> assertThat(one.history.methods()).hasSize(METHODS));
	}

	/** Everything that can be is there, in each bucket, for each status and reason. */
	private ManualHistory fullyUsed() {
		ManualHistory manual = new ManualHistory();
		List<CallRecorder> recorders = new ArrayList<>();
		for (int i = 0; i < METHODS; i++) {
			Side side = (i % 2 == 0) ? Side.CLIENT : Side.SERVER;
			recorders.add(manual.history.calls(side, this.methods.get(i)));
		}
		for (Side side : Side.values()) {
			for (FlushReason reason : FlushReason.values()) {
				manual.history.transport(side).flushed(reason, 1, 1);
			}
		}
		for (Gauge level : Gauge.values()) {
			manual.history.gauge(level, () -> 1);
		}
		long[] wide = new long[60_000];
		for (int tick = 0; tick < 180; tick++) {
			for (int i = 0; i < 128; i++) {
				recorders.get(i).record(RpcStatus.OK, 1L << (10 + (tick + i) % 27), "10.0.0." + tick + ":5000");
			}
			for (RpcStatus status : RpcStatus.values()) {
				recorders.get(0).record(status, tick, "10.0.1." + tick + ":5000");
				recorders.get(1).record(status, tick, "10.0.1." + tick + ":5000");
			}
			if (tick > 170) {
				recorders.get(0).record(RpcStatus.OK, wide, wide, wide.length, "");
				recorders.get(1).record(RpcStatus.OK, wide, wide, wide.length, "");
			}
			manual.tick();
		}
		recorders.forEach(ManualHistory::call);
		return manual;
	}

	/** Heap in use once collections find no more garbage of the tests before this one. */
	private static long used() {
		Runtime runtime = Runtime.getRuntime();
		long least = Long.MAX_VALUE;
		for (int unchanged = 0; unchanged < 5; unchanged++) {
			System.gc();
			long used = runtime.totalMemory() - runtime.freeMemory();
			unchanged = (used < least - NOISE) ? -1 : unchanged;
			least = Math.min(least, used);
		}
		return least;
	}

	@Test
	void recordedCall_allocatesNothing() {
		ManualHistory manual = new ManualHistory();
		CallRecorder recorder = manual.client(0);
		long[] batch = new long[32];
		int rounds = 20_000;
		record(recorder, batch, rounds);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		record(recorder, batch, rounds);
		long allocated = threads.getCurrentThreadAllocatedBytes() - before;
		assertThat(allocated).as("bytes of %d calls", rounds * 33).isLessThan(rounds);
	}

	private static void record(CallRecorder recorder, long[] batch, int rounds) {
		for (int i = 0; i < rounds; i++) {
			for (int call = 0; call < batch.length; call++) {
				batch[call] = (i * 31L + call) % 5_000 * 1_000;
			}
			recorder.record(RpcStatus.OK, batch, batch, batch.length, "peer:1");
			recorder.record(RpcStatus.OK, i % 1_000 * 1_000L, "peer:1");
		}
	}

}
