package io.rpcboot.benchmarks.grpc;

import java.io.IOException;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;

/**
 * grpc-java over Netty with generated code: as it is without settings, or with its
 * executors taken away, so that handlers and callbacks run on its event loops.
 */
final class GrpcSystem implements RpcSystem {

	/** More than the largest body that is measured; 4 MB are the default. */
	static final int MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

	private final boolean direct;

	GrpcSystem(boolean direct) {
		this.direct = direct;
	}

	@Override
	public String name() {
		return this.direct ? "grpc-direct" : "grpc";
	}

	/** A handler that sleeps must not do it on an event loop. */
	@Override
	public boolean supports(BenchCall call) {
		return !this.direct || !call.sleeps();
	}

	@Override
	public BenchServer startServer() throws IOException {
		return new GrpcServer(this.direct);
	}

	@Override
	public BenchClient connect(int port) {
		return new GrpcClient(port, this.direct);
	}

}
