package io.rpcboot.benchmarks.ours;

import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.FixedBenchService;

/**
 * Only a server: its callers speak HTTP with JSON.
 *
 * @param name what the options and the report call it
 * @param system whose server
 */
record OverHttp(String name, OurSystem system) implements RpcSystem {

	@Override
	public boolean supports(BenchCall call) {
		return false;
	}

	@Override
	public BenchServer startServer() {
		return this.system.startServer(new FixedBenchService());
	}

}
