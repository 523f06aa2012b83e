package io.rpcboot.spring.lifecycle;

import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.server.RpcServer;

import org.springframework.context.ApplicationStartupAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Registers the server while the application accepts traffic, and starts its shutdown
 * before that of the web server.
 *
 * @since 0.1.0
 */
public final class RpcServerRegistrar implements SmartLifecycle, ApplicationStartupAware {

	/** Stops before the graceful shutdown of the web server begins. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final RpcServer server;

	private final RpcServerLifecycle lifecycle;

	private final boolean registerOnStart;

	private ApplicationStartup startup = ApplicationStartup.DEFAULT;

	private volatile boolean running;

	/** True while the application accepts traffic. */
	private volatile boolean registered;

	/** True from the first registration on. */
	private volatile boolean wasRegistered;

	/** True from the first stop on. */
	private volatile boolean stopped;

	/**
	 * Creates a registrar.
	 * @param server the server
	 * @param lifecycle its lifecycle
	 * @param registerOnStart true to register on start, if nothing calls
	 * {@link #register()}
	 */
	public RpcServerRegistrar(RpcServer server, RpcServerLifecycle lifecycle, boolean registerOnStart) {
		this.server = server;
		this.lifecycle = lifecycle;
		this.registerOnStart = registerOnStart;
	}

	@Override
	public void setApplicationStartup(ApplicationStartup startup) {
		this.startup = startup;
	}

	/** Registers the server. Does nothing unless it is bound and not yet registered. */
	public synchronized void register() {
		if (!this.running || this.registered) {
			return;
		}
		StartupStep step = this.startup.start("rpc.server.register")
			.tag("services", String.valueOf(this.server.services().size()));
		try {
			this.server.register();
			this.registered = true;
			this.wasRegistered = true;
		}
		finally {
			step.end();
		}
	}

	/**
	 * Returns true from the first registration on, also after it has ended. Never blocks.
	 * @return false if clients could never find the server
	 */
	public boolean wasRegistered() {
		return this.wasRegistered;
	}

	/**
	 * Returns true if clients will find the server soon: it is registered, or it will be
	 * as soon as the application accepts traffic. Never blocks.
	 * @return false after an operator took it out, and when it has shut down
	 */
	public boolean isExpected() {
		return !this.stopped && (this.registered || !this.wasRegistered)
				&& this.server.presence().mode() == RegistrationInfo.Mode.ONLINE;
	}

	/** Deregisters the server. Calls of connected clients are still served. */
	public synchronized void deregister() {
		this.registered = false;
		this.server.deregister();
	}

	@Override
	public void start() {
		this.running = true;
		if (this.registerOnStart) {
			register();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		this.stopped = true;
		this.lifecycle.shutdown();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
