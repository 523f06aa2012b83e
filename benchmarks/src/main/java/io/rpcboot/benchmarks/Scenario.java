package io.rpcboot.benchmarks;

import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * What is measured in one go: a call under a load.
 *
 * @param call which call
 * @param async one thread that does not wait, or threads that do
 * @param concurrency calls in flight, or threads
 */
record Scenario(BenchCall call, boolean async, int concurrency) {

	String mode() {
		return this.async ? "async" : "blocking";
	}

	String load() {
		return mode() + " " + this.concurrency;
	}

	@Override
	public String toString() {
		return this.call.label() + " " + load();
	}

}
