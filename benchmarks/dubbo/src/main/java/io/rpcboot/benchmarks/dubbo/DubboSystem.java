package io.rpcboot.benchmarks.dubbo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/**
 * Dubbo with its own protocol, which its documentation measures as faster than Triple on
 * one connection, and the serialization that it prefers, Fastjson 2. Futures are of its
 * own asynchronous methods.
 */
final class DubboSystem implements RpcSystem {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final String name;

	/** Calls that may wait for a thread; one more is refused. */
	private final int queue;

	DubboSystem(String name, int queue) {
		this.name = name;
		this.queue = queue;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public BenchServer startServer() throws IOException {
		return startServer(new DefaultBenchService());
	}

	@Override
	public BenchServer startServer(BenchService implementation) throws IOException {
		ProtocolConfig protocol = new ProtocolConfig("dubbo", freePort());
		protocol.setHost("127.0.0.1");
		protocol.setSerialization("fastjson2");
		protocol.setQueues(this.queue);
		ServiceConfig<BenchService> service = new ServiceConfig<>();
		service.setInterface(BenchService.class);
		service.setRef(implementation);
		DubboBootstrap bootstrap = bootstrap("bench-server").protocol(protocol).service(service).start();
		return new Server(bootstrap, protocol.getPort());
	}

	@Override
	public BenchClient connect(int port) {
		return connect(port, TIMEOUT);
	}

	@Override
	public BenchClient connect(int port, Duration timeout) {
		ReferenceConfig<BenchService> reference = new ReferenceConfig<>();
		reference.setInterface(BenchService.class);
		reference.setUrl("dubbo://127.0.0.1:" + port + "?serialization=fastjson2");
		reference.setTimeout(Math.toIntExact(timeout.toMillis()));
		reference.setConnections(1);
		DubboBootstrap bootstrap = bootstrap("bench-client").reference(reference).start();
		return new Client(bootstrap, reference.get());
	}

	private static DubboBootstrap bootstrap(String name) {
		ApplicationConfig application = new ApplicationConfig(name);
		application.setQosEnable(false);
		return DubboBootstrap.newInstance().application(application).registry(new RegistryConfig("N/A"));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private record Server(DubboBootstrap bootstrap, int port) implements BenchServer {

		@Override
		public void close() {
			this.bootstrap.stop();
		}

	}

	private record Client(DubboBootstrap bootstrap, BenchService service) implements BenchClient {

		@Override
		public void close() {
			this.bootstrap.stop();
		}

	}

}
