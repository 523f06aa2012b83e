package io.rpcboot.grpc;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.TestServiceImpl;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.relay.RelayRoute;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;

/**
 * Server with one generated service, and a client of grpc-java; perhaps a relay between.
 */
final class HostedPeer implements AutoCloseable {

	final RpcServer server;

	final ManagedChannel channel;

	private final @Nullable RpcRelay relay;

	private HostedPeer(RpcServerBuilder builder, @Nullable String relayed) {
		this.server = builder.port(0).bindAddress("127.0.0.1").start();
		this.relay = (relayed != null) ? relay(relayed, this.server.port()) : null;
		int port = (this.relay != null) ? this.relay.port() : this.server.port();
		this.channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
	}

	private static RpcRelay relay(String service, int port) {
		return RpcRelay.builder()
			.port(0)
			.route(RelayRoute.to(List.of(service))
				.withTarget(ReferenceOptions.defaults().withAddresses(List.of("127.0.0.1:" + port))))
			.start();
	}

	/** Offers the service of gRPC's interop tests behind a relay. */
	static HostedPeer ofInteropBehindRelay(ScheduledExecutorService executor) {
		ServerServiceDefinition service = ServerInterceptors.intercept(new TestServiceImpl(executor),
				TestServiceImpl.interceptors());
		return new HostedPeer(RpcServer.builder().grpcService(BindableServices.of(service), ServiceOptions.defaults()),
				service.getServiceDescriptor().getName());
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
		return new HostedPeer(
				options.apply(RpcServer.builder().grpcService(BindableServices.of(service), ServiceOptions.defaults())),
				null);
	}

	@Override
	public void close() {
		this.channel.shutdownNow();
		if (this.relay != null) {
			this.relay.close();
		}
		this.server.close();
	}

}
