package io.rpcboot.grpc;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.TestServiceImpl;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;

/** Server with one generated service, and a client of grpc-java. */
final class HostedPeer implements AutoCloseable {

	final RpcServer server;

	final ManagedChannel channel;

	private HostedPeer(RpcServerBuilder builder) {
		this.server = builder.port(0).bindAddress("127.0.0.1").start();
		this.channel = NettyChannelBuilder.forAddress("127.0.0.1", this.server.port()).usePlaintext().build();
	}

	static HostedPeer of(BindableService service) {
		return of(service.bindService(), (builder) -> builder);
	}

	/** Offers the service of gRPC's interop tests. */
	static HostedPeer ofInterop(ScheduledExecutorService executor) {
		return of(ServerInterceptors.intercept(new TestServiceImpl(executor), TestServiceImpl.interceptors()),
				(builder) -> builder);
	}

	static HostedPeer of(ServerServiceDefinition service, UnaryOperator<RpcServerBuilder> options) {
		return new HostedPeer(options
			.apply(RpcServer.builder().grpcService(BindableServices.of(service), ServiceOptions.defaults())));
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
		this.server.close();
	}

}
