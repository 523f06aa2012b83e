package io.rpcboot.spring.lifecycle;

import java.time.Duration;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcServerBoundEvent;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationStartupAware;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Binds the server before the application is ready, and shuts it down after the web
 * server. A non-daemon thread keeps the application alive while the server is bound.
 * {@link RpcServerRegistrar} registers the server.
 *
 * @since 0.1.0
 */
public final class RpcServerLifecycle extends PortLifecycle implements ApplicationStartupAware {

	private static final String NAME = "server";

	private final RpcServer server;

	private final Runnable bind;

	private final Duration gracePeriod;

	private final ApplicationEventPublisher events;

	private ApplicationStartup startup = ApplicationStartup.DEFAULT;

	/**
	 * Creates a lifecycle.
	 * @param server the server
	 * @param gracePeriod time for calls in flight at shutdown, 0 to cut them
	 * @param events receives {@link RpcServerBoundEvent}
	 */
	public RpcServerLifecycle(RpcServer server, Duration gracePeriod, ApplicationEventPublisher events) {
		this(server, server::bind, gracePeriod, events);
	}

	/**
	 * Creates a lifecycle with an own way to bind.
	 * @param server the server
	 * @param bind calls {@link RpcServer#bind()} and may translate its exceptions
	 * @param gracePeriod time for calls in flight at shutdown, 0 to cut them
	 * @param events receives {@link RpcServerBoundEvent}
	 */
	public RpcServerLifecycle(RpcServer server, Runnable bind, Duration gracePeriod, ApplicationEventPublisher events) {
		super(NAME);
		this.server = server;
		this.bind = bind;
		this.gracePeriod = gracePeriod;
		this.events = events;
	}

	@Override
	public void setApplicationStartup(ApplicationStartup startup) {
		this.startup = startup;
	}

	/**
	 * Returns true if a server that a lifecycle of this process started listens on a
	 * port, in whatever context or class loader.
	 * @param port the port
	 * @return false for any other process or socket
	 */
	public static boolean holdsPort(int port) {
		String name = keepAliveThread(NAME) + port;
		return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> thread.getName().equals(name));
	}

	/**
	 * Binds the server, once.
	 * @throws io.rpcboot.RpcConfigurationException if the port is in use
	 * @throws IllegalStateException after a stop
	 */
	@Override
	public void start() {
		if (isShutDown()) {
			throw new IllegalStateException("An RPC server that was stopped cannot start again: "
					+ "create a new application context instead of starting this one a second time");
		}
		StartupStep step = this.startup.start("rpc.server.start");
		try {
			this.bind.run();
			step.tag("services", String.valueOf(this.server.services().size()))
				.tag("endpoint", this.server.advertisedEndpoint().toString());
		}
		finally {
			step.end();
		}
		bound(this.server.port());
		this.events.publishEvent(new RpcServerBoundEvent(this.server));
	}

	@Override
	void drain() {
		this.server.shutdown(this.gracePeriod);
	}

	/**
	 * Returns true while the server shuts down.
	 * @return false before the shutdown, and when the server is closed
	 */
	public boolean isDraining() {
		return isRunning() && isShutDown();
	}

}
