package io.rpcboot.benchmarks.grpc;

import java.io.IOException;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;

/**
 * grpc-java with the messages that this project generates for the contract, so that its
 * clients and servers can call ours and be called.
 *
 * @param name what the options and the report call it
 * @param executors its threads
 */
record ContractSystem(String name, GrpcSystem.Executors executors) implements RpcSystem {

	/** A handler that sleeps must not do it on an event loop. */
	@Override
	public boolean supports(BenchCall call) {
		return this.executors != GrpcSystem.Executors.DIRECT || !call.sleeps();
	}

	@Override
	public BenchServer startServer() throws IOException {
		return startServer(new DefaultBenchService());
	}

	@Override
	public BenchServer startServer(BenchService service) throws IOException {
		return new GrpcServer(this.executors.server(new ContractAdapter(service)));
	}

	@Override
	public BenchClient connect(int port) {
		return new ContractClient(this.executors.channel(port));
	}

}
