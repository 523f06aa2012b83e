package io.rpcboot.spring.autoconfigure.server;

import java.util.HashMap;
import java.util.Map;

import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServerHealth;
import io.rpcboot.spring.RpcServerBoundEvent;
import io.rpcboot.spring.autoconfigure.diagnostics.LivenessPublisher;
import io.rpcboot.spring.lifecycle.RpcServerRegistrar;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

/**
 * Listens to events of the application: registers the server when the application is
 * ready and while it accepts traffic, lets the health of gRPC follow its availability,
 * and sets {@code local.rpc.port} when the port is bound.
 */
final class RpcServerEvents {

	private static final String PROPERTY_SOURCE = "rpc.server.ports";

	private final RpcServer server;

	private final RpcServerRegistrar registrar;

	private final LivenessPublisher engines;

	private final ApplicationContext context;

	/** Null if the server does not offer it. */
	private final @Nullable ServerHealth health;

	RpcServerEvents(RpcServer server, RpcServerRegistrar registrar, LivenessPublisher engines,
			ApplicationContext context, boolean publishesReadiness) {
		this.server = server;
		this.registrar = registrar;
		this.engines = engines;
		this.context = context;
		this.health = server.health();
		accepting(!publishesReadiness);
	}

	private void accepting(boolean accepting) {
		if (this.health != null) {
			this.health.accepting(accepting);
		}
	}

	/** Events of child contexts arrive here, too. */
	private boolean isOfChild(AvailabilityChangeEvent<?> event) {
		return event.getSource() instanceof ApplicationContext source && source != this.context;
	}

	// before the listeners of the application, which may call its services
	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void onReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.registrar.register();
		}
	}

	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void onReadiness(AvailabilityChangeEvent<ReadinessState> event) {
		if (isOfChild(event)) {
			return;
		}
		boolean accepting = event.getState() == ReadinessState.ACCEPTING_TRAFFIC;
		accepting(accepting);
		if (accepting) {
			this.registrar.register();
		}
		else {
			this.registrar.deregister();
		}
	}

	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void onLiveness(AvailabilityChangeEvent<LivenessState> event) {
		if (this.health != null && !isOfChild(event)) {
			this.health.live(event.getState() == LivenessState.CORRECT && !this.engines.hasFailed());
		}
	}

	@EventListener
	void onBound(RpcServerBoundEvent event) {
		if (event.getSource() == this.server
				&& this.context.getEnvironment() instanceof ConfigurableEnvironment environment) {
			MutablePropertySources sources = environment.getPropertySources();
			Map<String, Object> ports = new HashMap<>();
			ports.put("local.rpc.port", event.port());
			sources.remove(PROPERTY_SOURCE);
			sources.addFirst(new MapPropertySource(PROPERTY_SOURCE, ports));
		}
	}

}
