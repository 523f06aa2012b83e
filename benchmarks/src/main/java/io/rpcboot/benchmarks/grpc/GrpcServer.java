package io.rpcboot.benchmarks.grpc;

import io.grpc.Server;
import io.rpcboot.benchmarks.system.BenchServer;

/**
 * A running server of grpc-java.
 *
 * @param server the server
 */
record GrpcServer(Server server) implements BenchServer {

	@Override
	public int port() {
		return this.server.getPort();
	}

	@Override
	public void close() {
		this.server.shutdownNow();
	}

}
