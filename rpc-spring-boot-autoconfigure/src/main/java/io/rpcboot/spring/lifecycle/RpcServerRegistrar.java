package io.rpcboot.spring.lifecycle;

import io.rpcboot.server.RpcServer;

import org.springframework.context.ApplicationStartupAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Lets clients find the server while the application takes traffic, and starts its
 * shutdown before that of the web server.
 */
public final class RpcServerRegistrar implements SmartLifecycle, ApplicationStartupAware {

	/** Stops before the web server begins its graceful shutdown. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final RpcServer server;

	private final RpcServerLifecycle lifecycle;

	private final boolean registerOnStart;

	private ApplicationStartup startup = ApplicationStartup.DEFAULT;

	private volatile boolean running;

	/** Whether the application was last said to take traffic. */
	private boolean registered;

	/** Whether the server was ever registered. */
	private volatile boolean wasRegistered;

	/**
	 * Create a registrar.
	 * @param server the server
	 * @param lifecycle its lifecycle
	 * @param registerOnStart whether to register as soon as everything has started, for
	 * nobody will call {@link #register()}
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

	/**
	 * The application takes traffic. Does nothing unless the server is bound, nor twice.
	 */
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
	 * Whether clients could ever find the server. Never blocks.
	 * @return true from the first registration on, also when it has ended
	 */
	public boolean wasRegistered() {
		return this.wasRegistered;
	}

	/** The application takes no traffic. Calls that come all the same are served. */
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
