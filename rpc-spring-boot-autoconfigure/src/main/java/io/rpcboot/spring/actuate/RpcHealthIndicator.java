package io.rpcboot.spring.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcClients;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Says whether calls would find their servers. Without the registry or an instance the
 * application is degraded, not down: known instances are still called, and a restart
 * would mend nothing. The overall health is answered with HTTP 200 then, groups that
 * include {@code rpc} with 503 ({@link RpcHealthGroups}). It is down when a thread of the
 * engine has ended that nothing replaces: then a restart is all that helps.
 */
final class RpcHealthIndicator extends AbstractHealthIndicator {

	static final Status DEGRADED = new Status("DEGRADED");

	private final ObjectProvider<Registry> registry;

	private final RpcClients clients;

	private final ObjectProvider<RpcServer> server;

	RpcHealthIndicator(ObjectProvider<Registry> registry, RpcClients clients, ObjectProvider<RpcServer> server) {
		super("RPC health check failed");
		this.registry = registry;
		this.clients = clients;
		this.server = server;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		boolean degraded = false;
		Map<String, String> failures = new LinkedHashMap<>();
		this.server.ifAvailable((server) -> failures.put("server", server.failure()));
		this.clients.inUse().forEach((client) -> failures.merge("client", client.failure(), String::concat));
		failures.values().removeIf(String::isEmpty);
		Registry registry = this.registry.getIfAvailable();
		if (registry != null) {
			RegistryState state = registry.state();
			degraded = state != RegistryState.CONNECTED;
			builder.withDetail("registry", Map.of("description", registry.description(), "state", state.name()));
		}
		List<ReferenceInfo> references = this.clients.inUse()
			.stream()
			.map(RpcClient::references)
			.flatMap(List::stream)
			.toList();
		Map<String, String> withoutInstance = withoutInstance(references);
		degraded |= !withoutInstance.isEmpty();
		builder.withDetail("references", references.size());
		builder.withDetail("referencesWithoutInstance", withoutInstance);
		if (!failures.isEmpty()) {
			builder.down().withDetail("broken", failures);
			return;
		}
		builder.status(degraded ? DEGRADED : Status.UP);
	}

	private static Map<String, String> withoutInstance(List<ReferenceInfo> references) {
		Map<String, String> result = new LinkedHashMap<>();
		for (ReferenceInfo reference : references) {
			if (!reference.isReady()) {
				result.put(reference.service().toString(), reference.state());
			}
		}
		return result;
	}

}
