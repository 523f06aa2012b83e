package io.rpcboot.dashboard.browser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

import org.jspecify.annotations.Nullable;

/** Fifteen minutes that are computed from the clock. */
final class FakeHistory {

	private static final int STEP = 5000;

	private static final int STEPS = 180;

	Map<String, @Nullable Object> since(long since) {
		long last = System.currentTimeMillis() / STEP * STEP;
		List<Long> times = new ArrayList<>();
		for (long time = last - (STEPS - 1) * STEP; time <= last; time += STEP) {
			if (time > since) {
				times.add(time);
			}
		}
		Map<String, List<Double>> values = new LinkedHashMap<>();
		functions().forEach((name, function) -> values.put(name,
				times.stream().map((time) -> Documents.round(function.applyAsDouble(time))).toList()));
		return Documents.of("stepMillis", STEP, "times", times, "values", values);
	}

	private Map<String, LongToDoubleFunction> functions() {
		Map<String, LongToDoubleFunction> all = new LinkedHashMap<>();
		all.put("serverCalls", wave(5200, 900, 1));
		all.put("clientCalls", wave(3100, 600, 2));
		all.put("serverP50", wave(1.4, 0.2, 3));
		all.put("serverP99", wave(9, 2.5, 4));
		all.put("clientP50", wave(2.6, 0.3, 5));
		all.put("clientP99", wave(24, 6, 6));
		all.put("inFlight", wave(38, 14, 7));
		all.put("pending", wave(61, 20, 8));
		all.put("queued", wave(18, 18, 9));
		all.put("held", (time) -> 0);
		all.put("poolBusy", wave(34, 12, 10));
		all.put("poolWaiting", wave(6, 6, 11));
		all.put("poolThreads", (time) -> 200);
		all.put("serverMemory", wave(21e6, 6e6, 12));
		all.put("clientMemory", wave(9e6, 3e6, 13));
		all.put("serverBatch", wave(11, 3, 14));
		all.put("clientBatch", wave(6.5, 2, 15));
		all.put("serverFlushes.DRAINED", wave(420, 80, 16));
		all.put("serverFlushes.MESSAGES", wave(60, 20, 17));
		all.put("serverFlushes.BYTES", wave(12, 5, 18));
		all.put("clientFlushes.DRAINED", wave(380, 60, 19));
		all.put("serverLoopsBusy", wave(0.34, 0.07, 20));
		all.put("clientLoopsBusy", wave(0.22, 0.05, 21));
		all.put("serverLoopTasks", wave(3, 3, 22));
		all.put("clientLoopTasks", wave(1, 1, 23));
		all.put("serverConnections", (time) -> 24);
		all.put("clientConnections", (time) -> 9);
		all.put("connects", (time) -> 0);
		all.put("connectFailures", wave(0.4, 0.3, 24));
		all.put("processCpu", wave(0.41, 0.06, 25));
		all.put("lostCalls", (time) -> 0);
		all.put("expired", wave(1.2, 1, 26));
		all.put("resent", (time) -> 0);
		return all;
	}

	private static LongToDoubleFunction wave(double middle, double swing, int seed) {
		return (time) -> Math.max(0, middle + swing * 0.7 * Math.sin(time / 140000.0 + seed)
				+ swing * 0.3 * Documents.noise(time / STEP * 64 + seed));
	}

}
