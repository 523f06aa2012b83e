package io.rpcboot.relay;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.internal.call.PassedCalls;
import io.rpcboot.internal.client.reference.InterceptingProxy;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.relay.http2.Http2Relay;
import io.rpcboot.internal.relay.http2.RouteTable;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ShutdownReport;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.Endpoint;

/**
 * Relay: a server that passes calls on to other servers with their bytes unread, so that
 * it needs neither classes nor descriptions of the services. Clients of gRPC, Connect and
 * gRPC-Web over HTTP/2 call it as if it were the server. Thread-safe.
 *
 * <pre>{@code
 * RpcRelay relay = RpcRelay.builder()
 *     .port(9090)
 *     .route(RelayRoute.to(List.of("shop.Stock"))
 *         .withTarget(ReferenceOptions.defaults().withAddresses(List.of("stock-1:9090", "stock-2:9090"))))
 *     .start();
 * // ...
 * relay.shutdown(Duration.ofSeconds(30));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RpcRelay implements AutoCloseable {

	private final List<RelayRoute> routes;

	private final RpcServer server;

	private final RpcClient client;

	RpcRelay(List<RelayRoute> routes, RpcServerBuilder server, RpcClientBuilder client) {
		this.routes = routes;
		this.client = client.build();
		try {
			Http2Relay passing = new Http2Relay(new RouteTable<>(routes, this::reference));
			routes.stream()
				.flatMap((each) -> each.targets().stream())
				.distinct()
				.forEach((each) -> server.service(PassedCalls.describe(each), () -> passing));
			this.server = server.build();
		}
		catch (RuntimeException | Error ex) {
			this.client.close();
			throw ex;
		}
	}

	private ServiceProxy reference(RelayRoute route, ServiceId service) {
		ServiceDescriptor described = PassedCalls.describe(service);
		ReferenceOptions options = route.target().withProtocol(Protocol.GRPC);
		Object proxy = this.client.reference(described, options);
		return Objects.requireNonNull(InterceptingProxy.of(Proxy.getInvocationHandler(proxy))).proxy();
	}

	/**
	 * Returns a builder.
	 * @return a new builder
	 */
	public static RpcRelayBuilder builder() {
		return new RpcRelayBuilder();
	}

	/**
	 * Binds the port.
	 * @return this
	 * @throws RpcConfigurationException if the port is in use, or the relay is a target
	 * of its own
	 */
	public RpcRelay start() {
		try {
			this.server.bind();
			int port = port();
			for (int i = 0; i < this.routes.size(); i++) {
				requireOther(i, port);
			}
			this.server.register();
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
		return this;
	}

	/** Rejects a route to this relay, which would pass calls in a circle. */
	private void requireOther(int number, int port) {
		for (Endpoint each : this.routes.get(number).target().endpoints()) {
			if (each.port() == port && isHere(each.host())) {
				throw new RpcConfigurationException(
						"rpc.relay.routes[%d].addresses: %s (expected: other servers, because this is the relay itself)"
							.formatted(number, each),
						"Set it to the addresses of the servers of these services.");
			}
		}
	}

	/** Returns true if this process listens at an address; names are not looked up. */
	private boolean isHere(String host) {
		if (host.equals("localhost") || host.equals(this.server.advertisedEndpoint().host())) {
			return true;
		}
		try {
			InetAddress address = host.matches("[0-9.]+|.*:.*") ? InetAddress.getByName(host) : null;
			return address != null
					&& (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null);
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Changes TLS of the port at run time, as {@link RpcServer#renewTls}.
	 * @param options the new options
	 * @throws RpcConfigurationException if TLS cannot be used with these options
	 * @throws IllegalStateException if the port speaks clear text, or is closed
	 */
	public void renewTls(TlsOptions options) {
		this.server.renewTls(options);
	}

	/**
	 * Changes TLS of the connections to servers at run time, as
	 * {@link RpcClient#renewTls}.
	 * @param before options with which the relay was made
	 * @param options the new options
	 * @throws RpcConfigurationException if TLS cannot be used with these options
	 */
	public void renewTls(TlsOptions before, TlsOptions options) {
		this.client.renewTls(before, options);
	}

	/**
	 * Returns the bound port.
	 * @return 1 to 65535
	 * @throws IllegalStateException before {@link #start()}
	 */
	public int port() {
		return this.server.port();
	}

	/**
	 * Returns the routes with the instances of their services. Blocks for at most 5 s.
	 * @return a snapshot
	 */
	public List<RelayInfo> routes() {
		List<ReferenceInfo> all = new ArrayList<>(this.client.references());
		List<RelayInfo> result = new ArrayList<>();
		for (RelayRoute each : this.routes) { // references have the order of the routes
			int count = Math.min(each.targets().size(), all.size());
			result.add(new RelayInfo(result.size(), each, List.copyOf(all.subList(0, count))));
			all.subList(0, count).clear();
		}
		return List.copyOf(result);
	}

	/**
	 * Returns the calls that go through the relay now.
	 * @return the number
	 */
	public int inFlightCalls() {
		return this.server.inFlightCalls();
	}

	/**
	 * Returns the connections of clients.
	 * @return a snapshot, sorted by remote address
	 */
	public List<ConnectionInfo> clients() {
		return this.server.connections();
	}

	/**
	 * Returns the connections to servers.
	 * @return a snapshot, sorted by remote address
	 */
	public List<ConnectionInfo> servers() {
		return this.client.connections();
	}

	/**
	 * Sends GO_AWAY to every client, also to those that connect later, until
	 * {@link #online}. Calls in flight are completed.
	 * @param reason reason for the log
	 * @return completes when GO_AWAY is written to every client; not on an event loop
	 */
	public CompletableFuture<Void> drain(String reason) {
		return this.server.drain(reason);
	}

	/**
	 * Returns the relay to normal operation.
	 * @param reason reason for the log
	 */
	public void online(String reason) {
		this.server.online(reason);
	}

	/**
	 * Sends GO_AWAY to every client, waits for the calls in flight and closes both sides.
	 * Blocks.
	 * @param gracePeriod longest time for the calls in flight, 0 to cut them
	 * @return the report
	 */
	public ShutdownReport shutdown(Duration gracePeriod) {
		try {
			return this.server.shutdown(gracePeriod);
		}
		finally {
			this.client.close();
		}
	}

	/**
	 * Returns the first fatal failure, as of {@link RpcServer#failure()}. Only a restart
	 * repairs that.
	 * @return text for operators, empty without a failure
	 */
	public String failure() {
		String failure = this.server.failure();
		return failure.isEmpty() ? this.client.failure() : failure;
	}

	/**
	 * Adds a listener for a fatal failure.
	 * @param listener called once for each side with {@link #failure()}, on the failing
	 * thread
	 */
	public void onFailure(Consumer<String> listener) {
		this.server.onFailure(listener);
		this.client.onFailure(listener);
	}

	/** Shuts down without a grace period. Does nothing if the relay is closed. */
	@Override
	public void close() {
		shutdown(Duration.ZERO);
	}

}
