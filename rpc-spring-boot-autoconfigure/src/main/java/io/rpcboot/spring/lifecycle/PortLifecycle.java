package io.rpcboot.spring.lifecycle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Lifecycle of what is bound to a port before the application is ready: the server or a
 * relay. Its shutdown runs beside that of the web server and is awaited after it. A
 * non-daemon thread keeps the application alive while the port is bound.
 */
abstract class PortLifecycle implements SmartLifecycle {

	/**
	 * Below the phases of Spring Boot's web server (graceful shutdown: default phase -
	 * 1024, start and stop: default phase - 2048). So the port is bound before that of
	 * the web server, and its shutdown is awaited after it.
	 */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 2048 - 512;

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final String name;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile boolean running;

	private @Nullable CompletableFuture<Void> shutdown;

	/**
	 * Creates a lifecycle.
	 * @param name part of the names of threads: server or relay
	 */
	PortLifecycle(String name) {
		this.name = name;
	}

	/** Ends running calls within their grace period, and closes the port. */
	abstract void drain();

	/** Returns the start of the name of the thread that keeps the application alive. */
	static String keepAliveThread(String name) {
		return "rpc-" + name + "-keep-alive-";
	}

	/**
	 * Keeps the application alive: engine threads are daemons, so that an application
	 * that is only a client can end.
	 */
	final void bound(int port) {
		this.running = true;
		Thread thread = new Thread(this::awaitStop, keepAliveThread(this.name) + port);
		thread.setDaemon(false);
		thread.start();
	}

	private void awaitStop() {
		try {
			this.stopped.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	final synchronized boolean isShutDown() {
		return this.shutdown != null;
	}

	/**
	 * Starts the shutdown in the background, so that its grace period runs at the same
	 * time as that of the web server. Later calls return the same future.
	 * @return completes normally when the port is closed
	 */
	final synchronized CompletableFuture<Void> shutdown() {
		if (this.shutdown == null) {
			CompletableFuture<Void> done = new CompletableFuture<>();
			this.shutdown = done;
			new Thread(() -> {
				end();
				done.complete(null);
			}, "rpc-" + this.name + "-shutdown").start();
		}
		return this.shutdown;
	}

	private void end() {
		try {
			drain();
		}
		catch (RuntimeException | Error ex) {
			logger.error("RPC {} did not shut down gracefully", this.name, ex);
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

	// what was shut down cannot be bound again
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
