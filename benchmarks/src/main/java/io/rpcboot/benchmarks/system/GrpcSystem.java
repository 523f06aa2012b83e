package io.rpcboot.benchmarks.system;

import java.io.IOException;

/**
 * grpc-java over Netty with generated code, as it is without settings.
 */
final class GrpcSystem implements RpcSystem {

	@Override
	public String name() {
		return "grpc";
	}

	@Override
	public BenchServer startServer() throws IOException {
		return new GrpcServer();
	}

	@Override
	public BenchClient connect(int port) {
		return new GrpcClient(port);
	}

}
