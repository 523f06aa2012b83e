package io.rpcboot.benchmarks.fork;

import java.util.concurrent.TimeUnit;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;

/**
 * Blocking threads that share a number of calls.
 *
 * @param threads how many threads
 * @param calls calls of all of them together
 */
record CountedLoad(int threads, int calls) {

	private static final int LONGEST_SECONDS = 600;

	Slice run(BenchService service, MeasuredCall call) throws Exception {
		return new Callers(this.threads, false).run(TimeUnit.SECONDS.toNanos(LONGEST_SECONDS),
				(caller, start, histogram) -> callAll(service, call, caller, histogram), Load.NOTHING_MISSING);
	}

	private void callAll(BenchService service, MeasuredCall call, int caller, LatencyHistogram histogram) {
		long before = System.nanoTime();
		for (int n = caller; n < this.calls; n += this.threads) {
			long after = BlockingLoad.callOnce(service, call, n);
			histogram.record(after - before);
			before = after;
		}
	}

}
