package io.rpcboot.benchmarks;

import io.rpcboot.benchmarks.fork.LoadSpec;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * What is measured in one go: a call under a load.
 *
 * @param call which call
 * @param load which load
 */
record Scenario(BenchCall call, LoadSpec load) {

	static Scenario blocking(BenchCall call, int threads) {
		return new Scenario(call, LoadSpec.blocking(threads));
	}

	static Scenario async(BenchCall call, int callers) {
		return new Scenario(call, LoadSpec.async(callers, Preset.IN_FLIGHT));
	}

	@Override
	public String toString() {
		return this.call.label() + " " + this.load.label();
	}

}
