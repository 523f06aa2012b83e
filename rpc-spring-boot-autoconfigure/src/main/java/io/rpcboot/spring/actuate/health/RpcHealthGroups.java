package io.rpcboot.spring.actuate.health;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.core.env.Environment;

/**
 * Maps {@code DEGRADED} to HTTP 503 in health groups that include {@code rpc} or
 * {@code rpcServer}, such as readiness and startup, because calls would fail. Liveness
 * and the overall health keep 200, because a restart brings no server back. A mapping
 * that the application configures is left unchanged.
 */
final class RpcHealthGroups implements HealthEndpointGroupsPostProcessor {

	private static final String MAPPING = "management.endpoint.health.%sstatus.http-mapping.degraded";

	private final Environment environment;

	RpcHealthGroups(Environment environment) {
		this.environment = environment;
	}

	@Override
	public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
		if (this.environment.containsProperty(MAPPING.formatted(""))) {
			return groups;
		}
		Map<String, HealthEndpointGroup> result = new LinkedHashMap<>();
		for (String name : groups.getNames()) {
			HealthEndpointGroup group = groups.get(name);
			if (group != null) {
				result.put(name, refuses(name, group) ? new RefusingGroup(group) : group);
			}
		}
		return HealthEndpointGroups.of(groups.getPrimary(), result);
	}

	private boolean refuses(String name, HealthEndpointGroup group) {
		return !name.equals("liveness") && (group.isMember("rpc") || group.isMember("rpcServer"))
				&& !this.environment.containsProperty(MAPPING.formatted("group." + name + "."));
	}

	private record RefusingGroup(HealthEndpointGroup group) implements HealthEndpointGroup {

		private static final int SERVICE_UNAVAILABLE = 503;

		@Override
		public boolean isMember(String name) {
			return this.group.isMember(name);
		}

		@Override
		public boolean showComponents(SecurityContext securityContext) {
			return this.group.showComponents(securityContext);
		}

		@Override
		public boolean showDetails(SecurityContext securityContext) {
			return this.group.showDetails(securityContext);
		}

		@Override
		public StatusAggregator getStatusAggregator() {
			return this.group.getStatusAggregator();
		}

		@Override
		public HttpCodeStatusMapper getHttpCodeStatusMapper() {
			HttpCodeStatusMapper mapper = this.group.getHttpCodeStatusMapper();
			return (status) -> status.equals(RpcHealthIndicator.DEGRADED) ? SERVICE_UNAVAILABLE
					: mapper.getStatusCode(status);
		}

		@Override
		public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
			return this.group.getAdditionalPath();
		}

	}

}
