package io.rpcboot.benchmarks.fork;

import java.util.List;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;

/**
 * Makes one kind of call for a while and measures it.
 */
interface Load {

	/** Longest wait for answers that are missing at the end, in seconds. */
	int PATIENCE_SECONDS = 30;

	/** The end of callers that wait for every answer. */
	Callers.Ending NOTHING_MISSING = () -> {
	};

	/**
	 * Make calls until the time is over, then wait for the answers.
	 * @param services the clients; callers share them in turn
	 * @param call which call
	 * @param nanos how long
	 * @return what was measured
	 * @throws Exception if a call failed or was answered wrongly
	 */
	Slice run(List<BenchService> services, MeasuredCall call, long nanos) throws Exception;

	/**
	 * The load that a client process was told.
	 * @param spec which
	 * @return the load
	 */
	static Load of(LoadSpec spec) {
		return switch (spec.mode()) {
			case BLOCKING, VIRTUAL -> new BlockingLoad(spec);
			case ASYNC -> new AsyncLoad(spec);
			case BURST -> new BurstLoad();
			case FIRE -> throw new IllegalArgumentException(
					"load: " + spec + " (expected: one in which no call fails; see GoodputLoad)");
		};
	}

}
