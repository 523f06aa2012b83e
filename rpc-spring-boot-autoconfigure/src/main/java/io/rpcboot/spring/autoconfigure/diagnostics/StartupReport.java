package io.rpcboot.spring.autoconfigure.diagnostics;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.autoconfigure.properties.TestContextDetector;
import io.rpcboot.spring.lifecycle.RpcClients;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;

/**
 * Logs at start-up which services the references use and where they look them up, whether
 * there is nothing to do, and services that an in-memory registry misses. The server logs
 * what it offers.
 *
 * @since 0.1.0
 */
public final class StartupReport implements SmartLifecycle {

	/** After the server is registered in this process, before the warm-up. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 384;

	private static final int PLACES = 5;

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcClients clients;

	private final ObjectProvider<RpcServer> servers;

	private final ObjectProvider<Registry> registry;

	private final ApplicationContext context;

	private volatile boolean running;

	public StartupReport(RpcClients clients, ObjectProvider<RpcServer> servers, ObjectProvider<Registry> registry,
			ApplicationContext context) {
		this.clients = clients;
		this.servers = servers;
		this.registry = registry;
		this.context = context;
	}

	@Override
	public void start() {
		this.running = true;
		List<ReferenceInfo> references = references();
		if (!references.isEmpty()) {
			logger.info("RPC client seeks {}", places(references));
		}
		else if (!this.clients.areSought() && this.servers.stream().findAny().isEmpty()) {
			logger.info("RPC has nothing to do: {}, {}", reason("server", "no bean has @RpcService"),
					reason("client", "no bean has an @RpcReference"));
		}
	}

	private String reason(String side, String otherwise) {
		return isOff(side) ? "rpc." + side + ".enabled is false" : otherwise;
	}

	private boolean isOff(String side) {
		return !this.context.getEnvironment().getProperty("rpc." + side + ".enabled", Boolean.class, true);
	}

	private List<ReferenceInfo> references() {
		return this.clients.inUse().stream().map(RpcClient::references).flatMap(List::stream).toList();
	}

	private String places(List<ReferenceInfo> references) {
		Map<String, Set<ServiceId>> fixed = new LinkedHashMap<>();
		Map<String, Set<ServiceId>> found = new LinkedHashMap<>();
		for (ReferenceInfo each : references) {
			boolean isFixed = !each.instances().isEmpty()
					&& each.instances().stream().allMatch((instance) -> instance.id().isEmpty());
			String place = isFixed ? "at " + endpoints(each) : "in " + each.source() + reach(each);
			(isFixed ? fixed : found).computeIfAbsent(place, (first) -> new HashSet<>()).add(each.service());
		}
		if (fixed.size() > PLACES) {
			found.put("at fixed addresses", fixed.values().stream().flatMap(Set::stream).collect(Collectors.toSet()));
		}
		else {
			found.putAll(fixed);
		}
		return found.entrySet()
			.stream()
			.map((each) -> ServiceId.summary(each.getValue()) + " " + each.getKey())
			.collect(Collectors.joining("; "));
	}

	private static String endpoints(ReferenceInfo reference) {
		return reference.instances()
			.stream()
			.map((instance) -> instance.endpoint().toString())
			.sorted()
			.collect(Collectors.joining(", "));
	}

	private String reach(ReferenceInfo reference) {
		return isInMemory(reference) ? " (this process only)" : "";
	}

	private boolean isInMemory(ReferenceInfo reference) {
		return this.registry.getIfAvailable() instanceof InMemoryRegistry memory
				&& reference.source().equals(memory.description());
	}

	/**
	 * Returns true if another line of the log will name a reference. {@link #onReady}
	 * names it if it is looked up in the in-memory registry and this process does not
	 * offer it. The server's own line names it if this process offers it, when the
	 * application accepts traffic.
	 * @return false also if the application never becomes ready in terms of Spring Boot
	 */
	public boolean isNamedWhenReady(ReferenceInfo reference) {
		Set<ServiceId> offered = offered();
		boolean isOwn = reference.instances().isEmpty() && offered.contains(reference.service());
		return this.context.containsLocalBean("springApplicationArguments") && (isOwn || isMissing(reference, offered));
	}

	private boolean isMissing(ReferenceInfo reference, Set<ServiceId> offered) {
		return reference.instances().isEmpty() && isInMemory(reference) && !offered.contains(reference.service());
	}

	private Set<ServiceId> offered() {
		return this.servers.stream()
			.flatMap((server) -> server.services().stream())
			.map(ServiceInfo::service)
			.collect(Collectors.toSet());
	}

	@EventListener
	void onReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() != this.context
				|| TestContextDetector.hasOwnRegistry(this.context.getEnvironment())) {
			return;
		}
		Set<ServiceId> offered = offered();
		List<ServiceId> missing = references().stream()
			.filter((each) -> isMissing(each, offered))
			.map(ReferenceInfo::service)
			.distinct()
			.toList();
		if (!missing.isEmpty()) {
			logger.warn("""
					No bean of this process offers {}, and the in-memory registry ends at this process; {}. \
					If another process offers it, set rpc.registry.zookeeper.connect-string or \
					rpc.client.references.<name>.addresses; else annotate its implementation with @RpcService \
					where the component scan finds it""", ServiceId.summary(missing), known(missing, offered));
		}
	}

	private String known(List<ServiceId> missing, Set<ServiceId> offered) {
		if (offered.isEmpty()) {
			return "nothing is offered here" + (isOff("server") ? ", because rpc.server.enabled is false" : "");
		}
		Set<String> names = missing.stream().map(ServiceId::name).collect(Collectors.toCollection(TreeSet::new));
		List<ServiceId> others = new ArrayList<>(offered);
		others.removeIf((each) -> !names.contains(each.name()));
		return others.isEmpty() ? "offered here: " + ServiceId.summary(offered)
				: "offered here in another version or group: " + ServiceId.summary(others);
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
