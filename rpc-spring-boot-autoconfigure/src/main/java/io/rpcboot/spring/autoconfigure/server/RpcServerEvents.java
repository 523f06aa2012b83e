package io.rpcboot.spring.autoconfigure.server;

import java.util.HashMap;
import java.util.Map;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcServerBoundEvent;
import io.rpcboot.spring.lifecycle.RpcServerRegistrar;

import org.springframework.boot.availability.AvailabilityChangeEvent;
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
 * ready and while it accepts traffic, and sets {@code local.rpc.port} when the port is
 * bound.
 */
final class RpcServerEvents {

	private static final String PROPERTY_SOURCE = "rpc.server.ports";

	private final RpcServer server;

	private final RpcServerRegistrar registrar;

	private final ApplicationContext context;

	RpcServerEvents(RpcServer server, RpcServerRegistrar registrar, ApplicationContext context) {
		this.server = server;
		this.registrar = registrar;
		this.context = context;
	}

	// before the listeners of the application, which may call its services
	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void onReady(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.registrar.register();
		}
	}

	// events of child contexts arrive here, too
	@EventListener
	@Order(Ordered.HIGHEST_PRECEDENCE)
	void onReadiness(AvailabilityChangeEvent<ReadinessState> event) {
		if (event.getSource() instanceof ApplicationContext source && source != this.context) {
			return;
		}
		if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
			this.registrar.register();
		}
		else {
			this.registrar.deregister();
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
