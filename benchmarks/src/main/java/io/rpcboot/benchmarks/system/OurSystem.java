package io.rpcboot.benchmarks.system;

import io.rpcboot.Endpoint;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;

/**
 * This project, as it is without settings.
 */
final class OurSystem implements RpcSystem {

	@Override
	public String name() {
		return "ours";
	}

	@Override
	public BenchServer startServer() {
		return new OurServer();
	}

	@Override
	public BenchClient connect(int port) {
		return new OurClient(port);
	}

	private static final class OurServer implements BenchServer {

		private final RpcServer server = RpcServer.builder()
			.port(0)
			.service(BenchService.class, new DefaultBenchService())
			.start();

		@Override
		public int port() {
			return this.server.port();
		}

		@Override
		public void close() {
			this.server.close();
		}

	}

	private static final class OurClient implements BenchClient {

		private final RpcClient client = RpcClient.builder().build();

		private final BenchService service;

		OurClient(int port) {
			this.service = this.client.reference(BenchService.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", port)));
		}

		@Override
		public BenchService service() {
			return this.service;
		}

		@Override
		public void close() {
			this.client.close();
		}

	}

}
