package io.rpcboot.benchmarks.raw;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * Netty and nothing else for bodies of any size. Both sides get what a call needs at
 * least: an array of their own.
 */
final class RawPayloadSystem implements RpcSystem {

	@Override
	public String name() {
		return "netty-payload";
	}

	@Override
	public boolean supports(BenchCall call) {
		return call == BenchCall.ECHO;
	}

	@Override
	public BenchServer startServer() throws InterruptedException {
		return new RawPayloadServer();
	}

	@Override
	public BenchClient connect(int port) throws InterruptedException {
		return new RawPayloadClient(port);
	}

}
