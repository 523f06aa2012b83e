package io.rpcboot.spring.lifecycle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcServerBoundEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationStartupAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Binds the server before the application is ready, and shuts it down after the web
 * server. A non-daemon thread keeps the application alive while the server is bound.
 * {@link RpcServerRegistrar} registers the server.
 *
 * @since 0.1.0
 */
public final class RpcServerLifecycle implements SmartLifecycle, ApplicationStartupAware {

	/**
	 * Below the phases of Spring Boot's web server (graceful shutdown: default phase -
	 * 1024, start and stop: default phase - 2048). So the server is bound before the web
	 * server, and its shutdown is awaited after it.
	 */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 2048 - 512;

	private static final String KEEP_ALIVE_THREAD = "rpc-server-keep-alive-";

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcServer server;

	private final Runnable bind;

	private final Duration gracePeriod;

	private final ApplicationEventPublisher events;

	private ApplicationStartup startup = ApplicationStartup.DEFAULT;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile boolean running;

	private @Nullable CompletableFuture<Void> shutdown;

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
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals(KEEP_ALIVE_THREAD + port));
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
		this.running = true;
		keepAlive();
		this.events.publishEvent(new RpcServerBoundEvent(this.server));
	}

	// engine threads are daemons, so that an application that is only a client can end
	private void keepAlive() {
		Thread thread = new Thread(() -> {
			try {
				this.stopped.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, KEEP_ALIVE_THREAD + this.server.port());
		thread.setDaemon(false);
		thread.start();
	}

	private synchronized boolean isShutDown() {
		return this.shutdown != null;
	}

	/**
	 * Starts the shutdown in the background, so that its grace period runs at the same
	 * time as that of the web server. Later calls return the same future.
	 * @return completes normally when the server is closed
	 */
	synchronized CompletableFuture<Void> shutdown() {
		if (this.shutdown == null) {
			this.shutdown = new CompletableFuture<>();
			CompletableFuture<Void> done = this.shutdown;
			new Thread(() -> {
				drain();
				done.complete(null);
			}, "rpc-server-shutdown").start();
		}
		return this.shutdown;
	}

	private void drain() {
		try {
			this.server.shutdown(this.gracePeriod);
		}
		catch (RuntimeException | Error ex) {
			logger.error("RPC server did not shut down gracefully", ex);
		}
		finally {
			this.running = false;
			this.stopped.countDown();
		}
	}

	@Override
	public void stop(Runnable callback) {
		shutdown().thenRun(callback);
	}

	@Override
	public void stop() {
		shutdown().join();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Returns true while the server shuts down.
	 * @return false before the shutdown, and when the server is closed
	 */
	public boolean isDraining() {
		return this.running && isShutDown();
	}

	// a server that was shut down cannot be bound again
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
