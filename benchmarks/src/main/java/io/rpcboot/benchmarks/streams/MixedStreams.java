package io.rpcboot.benchmarks.streams;

import io.rpcboot.benchmarks.system.BenchServer;

/**
 * The client of one system with the server of another, over gRPC.
 *
 * @param name name in options and reports
 * @param client whose client
 * @param server whose server
 */
record MixedStreams(String name, StreamSystem client, StreamSystem server) implements StreamSystem {

	@Override
	public String settings() {
		return "client of " + this.client.name() + ", server of " + this.server.name();
	}

	@Override
	public boolean supports(Direction direction) {
		return this.client.supports(direction) && this.server.supports(direction);
	}

	@Override
	public BenchServer startServer() throws Exception {
		return this.server.startServer();
	}

	@Override
	public StreamClient connect(int port) throws Exception {
		return this.client.connect(port);
	}

}
