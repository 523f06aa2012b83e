package io.rpcboot.benchmarks.fork;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * Makes one kind of call for a while and measures it.
 */
interface Load {

	/** Longest wait for answers that are missing at the end, in seconds. */
	int PATIENCE_SECONDS = 30;

	/**
	 * Make calls until the time is over, then wait for the answers.
	 * @param service the client
	 * @param call which call
	 * @param nanos how long
	 * @return what was measured
	 * @throws Exception if a call failed or was answered wrongly
	 */
	Slice run(BenchService service, BenchCall call, long nanos) throws Exception;

}
