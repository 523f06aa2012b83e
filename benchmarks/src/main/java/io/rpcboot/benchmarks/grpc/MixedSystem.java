package io.rpcboot.benchmarks.grpc;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * The client of one system with the server of another, which speak the same protocol.
 *
 * @param name what the options and the report call it
 * @param client name of the system that calls
 * @param server name of the system that answers
 */
record MixedSystem(String name, String client, String server) implements RpcSystem {

	@Override
	public boolean supports(BenchCall call) {
		return RpcSystem.of(this.client).supports(call) && RpcSystem.of(this.server).supports(call);
	}

	@Override
	public BenchServer startServer() throws Exception {
		return RpcSystem.of(this.server).startServer();
	}

	@Override
	public BenchServer startServer(BenchService service) throws Exception {
		return RpcSystem.of(this.server).startServer(service);
	}

	@Override
	public BenchClient connect(int port) throws Exception {
		return RpcSystem.of(this.client).connect(port);
	}

}
