package io.rpcboot.spring.actuate.health;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.relay.RelayInfo;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerState;
import io.rpcboot.spring.actuate.descriptor.TlsDescriptor;
import io.rpcboot.spring.actuate.endpoint.RpcBeans;
import io.rpcboot.spring.actuate.endpoint.SummaryReport;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of client and server.
 * <ul>
 * <li>{@code DEGRADED}: the registry or an instance is missing, the server drains, an
 * operator took it out, or a certificate has expired or a changed SSL bundle cannot be
 * used. Not {@code DOWN}, because a restart would not help. The overall health is
 * answered with HTTP 200, groups that include {@code rpc} with 503
 * ({@link RpcHealthGroups}).
 * <li>{@code DOWN}: a thread of the engine has ended and was not replaced. Only a restart
 * helps.
 * </ul>
 * Pool exhaustion does not affect health: removing a busy instance would overload the
 * remaining ones.
 *
 * @since 0.1.0
 */
public final class RpcHealthIndicator extends AbstractHealthIndicator {

	public static final Status DEGRADED = new Status("DEGRADED");

	private final RpcBeans beans;

	RpcHealthIndicator(RpcBeans beans) {
		super("RPC health check failed");
		this.beans = beans;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		List<ReferenceInfo> references = this.beans.references();
		boolean degraded = addRegistry(builder);
		degraded |= addReferences(builder, references);
		degraded |= addServer(builder);
		degraded |= addRelay(builder);
		degraded |= addTls(builder);
		Map<String, String> failures = failures();
		if (!failures.isEmpty()) {
			builder.down().withDetail("broken", failures);
			return;
		}
		builder.status(degraded ? DEGRADED : Status.UP);
	}

	private boolean addRegistry(Health.Builder builder) {
		Registry registry = this.beans.registry();
		if (registry == null) {
			return false;
		}
		RegistryState state = registry.state();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("description", registry.description());
		details.put("state", state.name());
		Instant since = registry.stateSince();
		if (since != null) {
			details.put("since", since.toString());
		}
		String problem = registry.problem();
		if (!problem.isEmpty()) {
			details.put("problem", problem);
		}
		builder.withDetail("registry", details);
		return state != RegistryState.CONNECTED;
	}

	private static boolean addReferences(Health.Builder builder, List<ReferenceInfo> references) {
		Map<String, String> withoutInstance = new LinkedHashMap<>();
		for (ReferenceInfo reference : references) {
			if (!reference.isReady()) {
				withoutInstance.put(reference.service().toString(), reference.state());
			}
		}
		builder.withDetail("references", references.size());
		builder.withDetail("referencesWithoutInstance", withoutInstance);
		return !withoutInstance.isEmpty();
	}

	private boolean addServer(Health.Builder builder) {
		RpcServer server = this.beans.server();
		if (server == null) {
			return false;
		}
		RegistrationInfo presence = server.presence();
		ServerState state = SummaryReport.state(this.beans.lifecycle(), presence);
		boolean isOut = state == ServerState.OFFLINE || state == ServerState.DRAINED;
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", state.name());
		if (isOut) {
			details.put("since", presence.since().toString());
			details.put("reason", presence.reason());
		}
		details.put("inFlightCalls", server.inFlightCalls());
		details.put("connections", server.connections().size());
		builder.withDetail("server", details);
		PoolInfo pool = server.pool();
		Map<String, Object> threads = new LinkedHashMap<>();
		threads.put("max", pool.maxThreads());
		threads.put("busy", pool.busy());
		threads.put("waitingCalls", pool.waiting());
		if (pool.usedUp() != null) {
			threads.put("usedUpAt", pool.usedUp().at().toString());
		}
		builder.withDetail("threads", threads);
		return isOut || state == ServerState.DRAINING;
	}

	private boolean addRelay(Health.Builder builder) {
		RpcRelay relay = this.beans.relay();
		if (relay == null) {
			return false;
		}
		Map<String, String> withoutInstance = new LinkedHashMap<>();
		List<RelayInfo> routes = relay.routes();
		routes.forEach((route) -> route.targets()
			.stream()
			.filter((each) -> !each.isReady())
			.forEach((each) -> withoutInstance.put("routes[%d] %s".formatted(route.number(), each.service()),
					each.state())));
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("routes", routes.size());
		details.put("servicesWithoutInstance", withoutInstance);
		details.put("inFlightCalls", relay.inFlightCalls());
		details.put("connections", relay.clients().size());
		builder.withDetail("relay", details);
		return !withoutInstance.isEmpty();
	}

	private boolean addTls(Health.Builder builder) {
		Map<String, String> troubles = new LinkedHashMap<>();
		for (TlsDescriptor each : this.beans.tls(Instant.now())) {
			String trouble = each.trouble();
			if (trouble != null) {
				troubles.put("%s %s".formatted(each.side(), each.bundle()), trouble);
			}
		}
		if (!troubles.isEmpty()) {
			builder.withDetail("tls", troubles);
		}
		return !troubles.isEmpty();
	}

	private Map<String, String> failures() {
		Map<String, String> failures = new LinkedHashMap<>();
		RpcServer server = this.beans.server();
		if (server != null) {
			failures.put("server", server.failure());
		}
		RpcRelay relay = this.beans.relay();
		if (relay != null) {
			failures.put("relay", relay.failure());
		}
		this.beans.clients().forEach((client) -> failures.merge("client", client.failure(), String::concat));
		failures.values().removeIf(String::isEmpty);
		return failures;
	}

}
