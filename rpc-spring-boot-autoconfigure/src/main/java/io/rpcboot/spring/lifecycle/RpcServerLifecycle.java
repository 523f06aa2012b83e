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
 * Binds the server before the application is ready and ends it after the web server.
 * While it is bound, a thread of its own keeps the application alive. Registering is the
 * matter of {@link RpcServerRegistrar}.
 */
public final class RpcServerLifecycle implements SmartLifecycle, ApplicationStartupAware {

	/**
	 * Below the phases of Spring Boot's web server (graceful shutdown: default phase -
	 * 1024, start and stop: default phase - 2048): bound before it, and waited for only
	 * after it.
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
	 * Create a lifecycle.
	 * @param server the server
	 * @param gracePeriod time for calls in flight at shutdown, 0 to cut them
	 * @param events where {@link RpcServerBoundEvent} goes
	 */
	public RpcServerLifecycle(RpcServer server, Duration gracePeriod, ApplicationEventPublisher events) {
		this(server, server::bind, gracePeriod, events);
	}

	/**
	 * Create a lifecycle of a server that is bound in a way of its own.
	 * @param server the server
	 * @param bind calls {@link RpcServer#bind()}, and may say in words of the application
	 * what that throws
	 * @param gracePeriod time for calls in flight at shutdown, 0 to cut them
	 * @param events where {@link RpcServerBoundEvent} goes
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
	 * Whether a server of this process listens on a port that a lifecycle has started, in
	 * whatever context or class loader.
	 * @param port the port
	 * @return false for anything else that listens there
	 */
	public static boolean holdsPort(int port) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals(KEEP_ALIVE_THREAD + port));
	}

	/**
	 * Bind. Works once.
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

	// the engine's threads are daemons, so that an application that only calls can end
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
	 * Start to drain, in the background, so that the grace period runs beside that of the
	 * web server. Twice does nothing.
	 * @return completes when the server is closed, always normally
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
			logger.error("RPC server did not stop in order", ex);
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
	 * Whether the shutdown has begun and calls are being finished.
	 * @return false before it, and when the server is closed
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
