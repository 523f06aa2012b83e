package io.rpcboot.benchmarks.streams;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.rpcboot.benchmarks.system.BenchServer;

/**
 * grpc-java over Netty with generated code and without executors: methods and callbacks
 * run on its event loops.
 */
final class GrpcStreams implements StreamSystem {

	@Override
	public String name() {
		return "grpc-direct";
	}

	@Override
	public String settings() {
		return "windows: stream and connection 1 MB; demand: a message after each, senders wait until isReady;"
				+ " executors: direct, event loops of both sides";
	}

	@Override
	public boolean supports(Direction direction) {
		return direction != Direction.BYTES;
	}

	@Override
	public BenchServer startServer() throws IOException {
		return new RunningServer(
				NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
					.addService(new GrpcStreamService())
					.directExecutor()
					.build()
					.start());
	}

	@Override
	public StreamClient connect(int port) {
		return new GrpcStreamClient(port);
	}

	private record RunningServer(Server server) implements BenchServer {

		@Override
		public int port() {
			return this.server.getPort();
		}

		@Override
		public void close() {
			this.server.shutdownNow();
		}

	}

}
