package io.rpcboot.benchmarks.grpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslProvider;
import io.rpcboot.benchmarks.system.BenchClient;
import io.rpcboot.benchmarks.system.BenchServer;
import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.DefaultBenchService;
import org.jspecify.annotations.Nullable;

/**
 * grpc-java over Netty with generated code: as it is without settings, or with its
 * executors taken away, so that handlers and callbacks run on its event loops, or with a
 * bound on the threads of its handlers.
 */
final class GrpcSystem implements RpcSystem {

	/** More than the largest body that is measured; 4 MB are the default. */
	static final int MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

	private static final int POOL_THREADS = 200;

	private final Executors executors;

	GrpcSystem(Executors executors) {
		this.executors = executors;
	}

	/** Which threads run handlers and callbacks. */
	enum Executors {

		/** Its own, which start a thread for every call that finds none idle. */
		DEFAULT("grpc"),

		/** Its event loops. */
		DIRECT("grpc-direct"),

		/** 200 threads for its handlers, as many as ours has. */
		POOL("grpc-pool"),

		/** Its own, with an interceptor on each side and three entries of metadata. */
		CONTEXT("grpc-context"),

		/** Its own, over mutual TLS of the JDK. */
		TLS_JDK("grpc-tls-jdk", SslProvider.JDK),

		/** Its own, over mutual TLS of BoringSSL. */
		TLS_OPENSSL("grpc-tls-openssl", SslProvider.OPENSSL);

		private final String system;

		/** Null for clear text. */
		private final @Nullable SslProvider engine;

		Executors(String system) {
			this(system, null);
		}

		Executors(String system, @Nullable SslProvider engine) {
			this.system = system;
			this.engine = engine;
		}

		/** A channel to the loopback address, which connects with its first call. */
		ManagedChannel channel(int port) {
			NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", port)
				.maxInboundMessageSize(MAX_MESSAGE_BYTES);
			if (this.engine != null) {
				builder.sslContext(GrpcTls.client(this.engine));
			}
			else {
				builder.usePlaintext();
			}
			if (this == DIRECT) {
				builder.directExecutor();
			}
			else if (this == CONTEXT) {
				builder.intercept(new GrpcContext.Sender());
			}
			return builder.build();
		}

		/** A running server on a free port of the loopback address. */
		Server server(BindableService service) throws IOException {
			NettyServerBuilder builder = NettyServerBuilder
				.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
				.maxInboundMessageSize(MAX_MESSAGE_BYTES)
				.addService(service);
			if (this.engine != null) {
				builder.sslContext(GrpcTls.server(this.engine));
			}
			if (this == DIRECT) {
				builder.directExecutor();
			}
			else if (this == POOL) {
				builder.executor(java.util.concurrent.Executors.newFixedThreadPool(POOL_THREADS));
			}
			else if (this == CONTEXT) {
				builder.intercept(new GrpcContext.Reader());
			}
			return builder.build().start();
		}

	}

	@Override
	public String name() {
		return this.executors.system;
	}

	/** A handler that sleeps must not do it on an event loop. */
	@Override
	public boolean supports(BenchCall call) {
		return this.executors != Executors.DIRECT || !call.sleeps();
	}

	@Override
	public BenchServer startServer() throws IOException {
		return startServer(new DefaultBenchService());
	}

	@Override
	public BenchServer startServer(BenchService service) throws IOException {
		return new GrpcServer(this.executors.server(new GrpcAdapter(service)));
	}

	@Override
	public BenchClient connect(int port) {
		return connect(port, Duration.ZERO);
	}

	@Override
	public BenchClient connect(int port, Duration timeout) {
		return new GrpcClient(port, this.executors, timeout);
	}

	@Override
	public String status(Throwable failure) {
		return Status.fromThrowable(failure).getCode().name();
	}

}
