package io.rpcboot.benchmarks.fork;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;

/**
 * One call that sleeps, then 99 that do not, at once; and again when all are answered.
 * Counted are the latencies of the 99 only. With a client that holds back what it sends
 * until there are 100, the server reads all of them in one go.
 */
final class BurstLoad implements Load {

	/** Calls of a burst that do not sleep. */
	static final int FAST = 99;

	@Override
	public Slice run(List<BenchService> services, MeasuredCall call, long nanos) throws Exception {
		BenchService service = services.get(0);
		return new Callers(1, false).run(nanos, (caller, start, histogram) -> {
			do {
				burst(service, call, histogram);
			}
			while (System.nanoTime() - start < nanos);
		}, NOTHING_MISSING);
	}

	private static void burst(BenchService service, MeasuredCall call, LatencyHistogram histogram) throws Exception {
		CompletableFuture<?> slow = BenchCall.SLEEP_10.invokeAsync(service, 0);
		List<CompletableFuture<Long>> fast = new ArrayList<>(FAST);
		for (int n = 0; n < FAST; n++) {
			int number = n;
			long before = System.nanoTime();
			fast.add(call.invokeAsync(service, n).thenApply((answer) -> {
				long latency = System.nanoTime() - before;
				if (!call.isRight(number, answer)) {
					throw new IllegalStateException(call.label() + " " + number + ": wrong answer " + answer);
				}
				return latency;
			}));
		}
		for (CompletableFuture<Long> each : fast) {
			histogram.record(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
		}
		slow.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
	}

}
