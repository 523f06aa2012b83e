package io.rpcboot.spring.actuate.endpoint;

import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.lifecycle.RpcClients;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import io.rpcboot.spring.reference.RpcReferences;
import io.rpcboot.spring.reference.RpcReferences.Made;
import io.rpcboot.spring.service.RpcServiceExporter;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** What there is to look at in an application context. */
public final class RpcBeans {

	private final ObjectProvider<Registry> registry;

	private final ObjectProvider<RpcServer> server;

	private final ObjectProvider<RpcServerLifecycle> lifecycle;

	private final ObjectProvider<RpcHistory> history;

	private final RpcClients clients;

	private final RpcReferences references;

	private final ObjectProvider<RpcServiceExporter> exporter;

	public RpcBeans(ConfigurableListableBeanFactory beanFactory) {
		this.registry = beanFactory.getBeanProvider(Registry.class);
		this.server = beanFactory.getBeanProvider(RpcServer.class);
		this.lifecycle = beanFactory.getBeanProvider(RpcServerLifecycle.class);
		this.history = beanFactory.getBeanProvider(RpcHistory.class);
		this.clients = new RpcClients(beanFactory);
		this.references = new RpcReferences(beanFactory);
		this.exporter = beanFactory.getBeanProvider(RpcServiceExporter.class);
	}

	public @Nullable Registry registry() {
		return this.registry.getIfAvailable();
	}

	/** The server, bound or not; null if there is none. */
	public @Nullable RpcServer server() {
		return this.server.getIfAvailable();
	}

	/** What starts and ends the server; null if the application does that itself. */
	public @Nullable RpcServerLifecycle lifecycle() {
		return this.lifecycle.getIfAvailable();
	}

	/** The client; null if nothing has needed one. */
	public @Nullable RpcClient client() {
		return this.clients.inUse().stream().findFirst().orElse(null);
	}

	/** The references of all clients, as they stand now. */
	public List<ReferenceInfo> references() {
		return this.clients.inUse().stream().map(RpcClient::references).flatMap(List::stream).toList();
	}

	/** The references to a service that annotations have asked for. */
	List<Made> made(String service) {
		return this.references.made(service);
	}

	/** Who says what is in force for a service of this process, by option. */
	Map<String, String> origins(ServiceId service) {
		RpcServiceExporter found = this.exporter.getIfAvailable();
		return (found != null) ? found.origins(service) : Map.of();
	}

	/** The clients that have been made. */
	public List<RpcClient> clients() {
		return this.clients.inUse();
	}

	/** What happened lately; null if it is switched off. */
	@Nullable RpcHistory history() {
		return this.history.getIfAvailable();
	}

}
