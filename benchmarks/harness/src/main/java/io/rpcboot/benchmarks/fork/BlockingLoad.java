package io.rpcboot.benchmarks.fork;

import java.util.List;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;

/**
 * Threads that call, wait, and call again.
 */
final class BlockingLoad implements Load {

	/** Callers start this far apart, so that they do not send equal arguments. */
	private static final int STRIDE = 1 << 16;

	private final LoadSpec spec;

	BlockingLoad(LoadSpec spec) {
		this.spec = spec;
	}

	@Override
	public Slice run(List<BenchService> services, MeasuredCall call, long nanos) throws Exception {
		Callers callers = new Callers(this.spec.callers(), this.spec.mode() == LoadSpec.Mode.VIRTUAL);
		return callers.run(nanos,
				(caller, start, histogram) -> callUntil(start + nanos, Pace.of(this.spec, caller, start),
						services.get(caller % services.size()), call, caller * STRIDE, histogram),
				Load.NOTHING_MISSING);
	}

	private static void callUntil(long end, Pace pace, BenchService service, MeasuredCall call, int first,
			LatencyHistogram histogram) {
		int n = first;
		long before = pace.awaitNext(System.nanoTime());
		while (before - end < 0) {
			long after = callOnce(service, call, n);
			histogram.record(after - before);
			n = (n + 1) & Integer.MAX_VALUE;
			before = pace.awaitNext(after);
		}
	}

	/**
	 * Make one call.
	 * @return when its answer was there
	 */
	static long callOnce(BenchService service, MeasuredCall call, int n) {
		Object answer = call.invoke(service, n);
		long after = System.nanoTime();
		if (!call.isRight(n, answer)) {
			throw new IllegalStateException(call.label() + " " + n + ": wrong answer " + answer);
		}
		return after;
	}

}
