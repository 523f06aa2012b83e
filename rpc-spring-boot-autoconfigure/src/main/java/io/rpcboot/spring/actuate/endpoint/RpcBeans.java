package io.rpcboot.spring.actuate.endpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.registry.Registry;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.security.Authorizer;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.lifecycle.RpcClients;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import io.rpcboot.spring.reference.RpcReferences;
import io.rpcboot.spring.reference.RpcReferences.Made;
import io.rpcboot.spring.service.RpcServiceExporter;
import io.rpcboot.transport.TlsInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Access to the beans of a context that reports and health read. Nothing is created by a
 * look-up of a client or reference.
 *
 * @since 0.1.0
 */
public final class RpcBeans {

	private final ObjectProvider<Registry> registry;

	private final ObjectProvider<RpcServer> server;

	private final ObjectProvider<RpcServerLifecycle> lifecycle;

	private final ObjectProvider<RpcRelay> relay;

	private final ObjectProvider<RpcHistory> history;

	private final RpcClients clients;

	private final RpcReferences references;

	private final ObjectProvider<RpcServiceExporter> exporter;

	private final ObjectProvider<Authorizer> authorizers;

	private final ConfigurableListableBeanFactory beanFactory;

	public RpcBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.registry = beanFactory.getBeanProvider(Registry.class);
		this.server = beanFactory.getBeanProvider(RpcServer.class);
		this.lifecycle = beanFactory.getBeanProvider(RpcServerLifecycle.class);
		this.relay = beanFactory.getBeanProvider(RpcRelay.class);
		this.history = beanFactory.getBeanProvider(RpcHistory.class);
		this.clients = new RpcClients(beanFactory);
		this.references = new RpcReferences(beanFactory);
		this.authorizers = beanFactory.getBeanProvider(Authorizer.class);
		this.exporter = beanFactory.getBeanProvider(RpcServiceExporter.class);
	}

	public @Nullable Registry registry() {
		return this.registry.getIfAvailable();
	}

	/** Returns the server, bound or not; null for none. */
	public @Nullable RpcServer server() {
		return this.server.getIfAvailable();
	}

	/**
	 * Returns the lifecycle of the server; null if the application starts and stops the
	 * server itself.
	 */
	public @Nullable RpcServerLifecycle lifecycle() {
		return this.lifecycle.getIfAvailable();
	}

	/** Returns the relay, bound or not; null for none. */
	public @Nullable RpcRelay relay() {
		return this.relay.getIfAvailable();
	}

	/** Returns the client; null if none was created. */
	public @Nullable RpcClient client() {
		return this.clients.inUse().stream().findFirst().orElse(null);
	}

	/** Returns the current state of the references of all clients. */
	public List<ReferenceInfo> references() {
		return this.clients.inUse().stream().map(RpcClient::references).flatMap(List::stream).toList();
	}

	/** Returns TLS of the server and of the clients. */
	public List<TlsDescriptor> tls(Instant now) {
		RpcServer server = server();
		TlsInfo ofServer = (server != null) ? server.tls() : null;
		List<TlsDescriptor> result = new ArrayList<>();
		if (ofServer != null) {
			result.add(TlsDescriptor.of(Side.SERVER, ofServer, problem("rpcServerTls", ofServer), now));
		}
		clients().stream()
			.flatMap((client) -> client.tls().stream())
			.forEach((each) -> result.add(TlsDescriptor.of(Side.CLIENT, each, problem("rpcClientTls", each), now)));
		return result;
	}

	private @Nullable String problem(String bundles, TlsInfo tls) {
		return (this.beanFactory.getSingleton(bundles) instanceof TlsBundles found) ? found.problems().get(tls.name())
				: null;
	}

	/** Returns the references to a service that {@code @RpcReference} created. */
	List<Made> made(String service) {
		return this.references.made(service);
	}

	/** Returns the sources of the options of an offered service, by option. */
	Map<String, String> origins(ServiceId service) {
		RpcServiceExporter found = this.exporter.getIfAvailable();
		return (found != null) ? found.origins(service) : Map.of();
	}

	/** Returns the rules that may decide about calls of an offered service. */
	List<String> rules(ServiceId service) {
		return this.authorizers.orderedStream().flatMap((each) -> each.rules(service).stream()).toList();
	}

	/** Returns the clients that were created. */
	public List<RpcClient> clients() {
		return this.clients.inUse();
	}

	/** Returns the history; null if {@code rpc.history.enabled} is false. */
	@Nullable RpcHistory history() {
		return this.history.getIfAvailable();
	}

}
