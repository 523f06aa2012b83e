package io.rpcboot.spring.lifecycle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.rpcboot.relay.RpcRelay;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Binds a relay before the application is ready, and shuts it down as the server. A
 * non-daemon thread keeps the application alive while the relay is bound.
 *
 * @since 0.1.0
 */
public final class RpcRelayLifecycle implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcRelay relay;

	private final Duration gracePeriod;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile boolean running;

	private @Nullable CompletableFuture<Void> shutdown;

	/**
	 * Creates a lifecycle.
	 * @param relay the relay
	 * @param gracePeriod time for calls in flight at shutdown, 0 to cut them
	 */
	public RpcRelayLifecycle(RpcRelay relay, Duration gracePeriod) {
		this.relay = relay;
		this.gracePeriod = gracePeriod;
	}

	/**
	 * Binds the relay, once.
	 * @throws io.rpcboot.RpcConfigurationException if the port is in use
	 */
	@Override
	public void start() {
		this.relay.start();
		this.running = true;
		Thread thread = new Thread(this::awaitStop, "rpc-relay-keep-alive-" + this.relay.port());
		thread.setDaemon(false);
		thread.start();
		logger.info("RPC relay listens on port {}", this.relay.port());
	}

	private void awaitStop() {
		try {
			this.stopped.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized CompletableFuture<Void> shutdown() {
		if (this.shutdown == null) {
			CompletableFuture<Void> done = new CompletableFuture<>();
			this.shutdown = done;
			new Thread(() -> {
				drain();
				done.complete(null);
			}, "rpc-relay-shutdown").start();
		}
		return this.shutdown;
	}

	private void drain() {
		try {
			this.relay.shutdown(this.gracePeriod);
		}
		catch (RuntimeException | Error ex) {
			logger.error("RPC relay did not shut down gracefully", ex);
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

	// a relay that was shut down cannot be bound again
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return RpcServerLifecycle.PHASE;
	}

}
