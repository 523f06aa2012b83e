package io.rpcboot.spring.actuate.health;

import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.endpoint.RpcBeans;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of the start of the server, for startup probes: {@code DEGRADED} until clients
 * can find the server, {@code UP} from then on. It is {@code UP}, too, if there is no
 * server. Unlike {@link RpcHealthIndicator}, it does not look at references, so the
 * absence of another application does not end this one.
 *
 * @since 0.1.0
 */
public final class RpcServerHealthIndicator extends AbstractHealthIndicator {

	private final RpcBeans beans;

	/** True once the server was registered; never false again. */
	private volatile boolean wasRegistered;

	RpcServerHealthIndicator(RpcBeans beans) {
		super("RPC server health check failed");
		this.beans = beans;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		RpcServer server = this.beans.server();
		if (server == null) {
			builder.up();
			return;
		}
		Registry registry = this.beans.registry();
		boolean registers = registry != null && registry.takesRegistrations();
		String location = server.registeredLocation();
		this.wasRegistered |= registers ? !location.isEmpty() : server.transport() != null;
		builder.status(this.wasRegistered ? Status.UP : RpcHealthIndicator.DEGRADED);
		if (!location.isEmpty()) {
			builder.withDetail("location", location);
		}
		if (registry != null && !this.wasRegistered) {
			builder.withDetail("registry", registry.description()).withDetail("state", registry.state().name());
			if (!registry.problem().isEmpty()) {
				builder.withDetail("problem", registry.problem());
			}
		}
	}

}
