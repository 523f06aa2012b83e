package io.rpcboot.spring;

import io.rpcboot.server.RpcServer;

import org.springframework.context.SmartLifecycle;

/**
 * Lets clients find the server while the application takes traffic, and starts its
 * shutdown before that of the web server.
 */
public final class RpcServerRegistrar implements SmartLifecycle {

	/** Stops before the web server begins its graceful shutdown. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final RpcServer server;

	private final RpcServerLifecycle lifecycle;

	private final boolean registerOnStart;

	private volatile boolean running;

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

	/** The application takes traffic. Does nothing unless the server is bound. */
	public void register() {
		if (this.running) {
			this.server.register();
		}
	}

	/** The application takes no traffic. Calls that come all the same are served. */
	public void deregister() {
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
