package io.rpcboot.benchmarks.raw;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * Netty and nothing else: what the transport alone can do.
 */
final class RawNettySystem implements RpcSystem {

	@Override
	public String name() {
		return "netty";
	}

	@Override
	public boolean supports(BenchCall call) {
		return call == BenchCall.ECHO;
	}

	@Override
	public BenchServer startServer() throws InterruptedException {
		return new RawNettyServer();
	}

	@Override
	public BenchClient connect(int port) throws InterruptedException {
		return new RawNettyClient(port);
	}

}
