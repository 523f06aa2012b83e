package io.rpcboot.benchmarks.sofarpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import com.alipay.sofa.rpc.common.RpcConfigs;
import com.alipay.sofa.rpc.common.RpcOptions;
import com.alipay.sofa.rpc.config.ApplicationConfig;
import com.alipay.sofa.rpc.config.ProviderConfig;
import com.alipay.sofa.rpc.config.ServerConfig;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;

/**
 * SOFARPC with bolt and Hessian, which are its defaults, and without its tracer, which
 * logs every call to a file. Futures are made of its callbacks.
 */
final class SofaRpcSystem implements RpcSystem {

	/** Over it calls are refused, and callbacks are lost. */
	private static final int QUEUE = 65_536;

	static {
		RpcConfigs.putValue(RpcOptions.MODULE_LOAD_LIST, "*,-sofaTracer");
		RpcConfigs.putValue(RpcOptions.DEFAULT_TRACER, "");
		RpcConfigs.putValue(RpcOptions.ASYNC_POOL_QUEUE, QUEUE);
	}

	@Override
	public String name() {
		return "sofarpc";
	}

	@Override
	public BenchServer startServer() throws IOException {
		ServerConfig server = new ServerConfig().setProtocol("bolt")
			.setHost("127.0.0.1")
			.setPort(freePort())
			.setQueues(QUEUE)
			.setDaemon(true);
		ProviderConfig<BenchService> provider = new ProviderConfig<BenchService>()
			.setApplication(new ApplicationConfig().setAppName("bench-server"))
			.setInterfaceId(BenchService.class.getName())
			.setRef(new DefaultBenchService())
			.setRegister(false)
			.setServer(server);
		provider.export();
		return new Server(provider, server.getPort());
	}

	@Override
	public BenchClient connect(int port) {
		return new SofaRpcClient(port);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private record Server(ProviderConfig<BenchService> provider, int port) implements BenchServer {

		@Override
		public void close() {
			this.provider.unExport();
			this.provider.getServer().forEach(ServerConfig::destroy);
		}

	}

}
