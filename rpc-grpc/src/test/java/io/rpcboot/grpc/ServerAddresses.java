package io.rpcboot.grpc;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

import io.grpc.EquivalentAddressGroup;
import io.grpc.ManagedChannel;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusOr;
import io.grpc.netty.NettyChannelBuilder;

/** Addresses of servers, as a registry tells them to a channel of grpc-java. */
final class ServerAddresses extends NameResolverProvider implements AutoCloseable {

	private static final String SCHEME = "servers";

	private List<EquivalentAddressGroup> known;

	private NameResolver.Listener2 listener;

	ServerAddresses(int... ports) {
		set(ports);
		NameResolverRegistry.getDefaultRegistry().register(this);
	}

	/** Tells other addresses. */
	synchronized void set(int... ports) {
		this.known = IntStream.of(ports)
			.mapToObj((port) -> new EquivalentAddressGroup(new InetSocketAddress("127.0.0.1", port)))
			.toList();
		if (this.listener != null) {
			this.listener.onResult(NameResolver.ResolutionResult.newBuilder()
				.setAddressesOrError(StatusOr.fromValue(this.known))
				.build());
		}
	}

	/** Returns a new channel that spreads calls over all addresses. */
	ManagedChannel channel() {
		return NettyChannelBuilder.forTarget(SCHEME + ":///all")
			.defaultLoadBalancingPolicy("round_robin")
			.usePlaintext()
			.build();
	}

	@Override
	public NameResolver newNameResolver(URI target, NameResolver.Args args) {
		return new NameResolver() {

			@Override
			public String getServiceAuthority() {
				return "all";
			}

			@Override
			public void start(Listener2 started) {
				synchronized (ServerAddresses.this) {
					ServerAddresses.this.listener = started;
					started.onResult(ResolutionResult.newBuilder()
						.setAddressesOrError(StatusOr.fromValue(ServerAddresses.this.known))
						.build());
				}
			}

			@Override
			public void shutdown() {
			}

		};
	}

	@Override
	public String getDefaultScheme() {
		return SCHEME;
	}

	@Override
	protected boolean isAvailable() {
		return true;
	}

	@Override
	protected int priority() {
		return 5;
	}

	@Override
	public void close() {
		NameResolverRegistry.getDefaultRegistry().deregister(this);
	}

}
