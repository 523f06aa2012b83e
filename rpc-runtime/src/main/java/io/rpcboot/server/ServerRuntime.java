package io.rpcboot.server;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.concurrent.VirtualThreads;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.transport.RateLimitedLog;
import io.rpcboot.serialization.OutputBuffer;

/** What every connection of a server shares. Thread-safe. */
final class ServerRuntime {

	/** A lone blocking caller never needs more; who does doubles it in a few raises. */
	private static final int FIRST_CALLS = 64;

	private static final int FIRST_BYTES = 1024 * 1024;

	/** For each connection, whatever the others were promised. */
	private static final int LEAST_CALLS = 16;

	private static final int LEAST_BYTES = 64 * 1024;

	final RpcServerBuilder options;

	final Capacity calls;

	final Capacity bytes;

	final OfferedServices services;

	final WorkerPool workers;

	final Executor virtualThreads;

	final OutputBuffer.Pool buffers;

	final RateLimitedLog log;

	final Set<ServerControl> connections = ConcurrentHashMap.newKeySet();

	/** Calls received whose answer is not written yet. */
	final AtomicInteger inFlight = new AtomicInteger();

	/** From here on new connections are told to go away. */
	volatile boolean isDraining;

	private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

	/** Whether every connection was told to go away, so that no call is added. */
	private volatile boolean awaited;

	ServerRuntime(RpcServerBuilder options, OfferedServices services, RateLimitedLog log) {
		this.options = options;
		this.log = log;
		this.services = services;
		this.calls = new Capacity(options.maxInFlightCalls, options.maxCallsPerConnection, LEAST_CALLS);
		this.bytes = new Capacity(
				(options.maxInFlightBytes > 0) ? options.maxInFlightBytes : Runtime.getRuntime().maxMemory() / 4,
				options.maxBytesPerConnection, LEAST_BYTES);
		this.workers = new WorkerPool("rpc-worker-", options.maxThreads);
		this.virtualThreads = VirtualThreads.executor("rpc-virtual-", this.workers);
		this.buffers = new OutputBuffer.Pool(options.maxFrameSize);
	}

	/** What a new connection may send, not opened yet. */
	Grant newGrant() {
		return new Grant(this.calls, this.bytes, FIRST_CALLS, FIRST_BYTES);
	}

	/** Run on a worker. */
	void runLater(Runnable task) {
		this.workers.execute(task);
	}

	/** Asked when the last call in flight has ended during a shutdown. */
	void noCallInFlight() {
		if (this.awaited) {
			this.drained.complete(true);
		}
	}

	/** Completes when no call is in flight; ask after every connection was told. */
	CompletableFuture<Boolean> drained() {
		this.awaited = true;
		if (this.inFlight.get() == 0) {
			this.drained.complete(true);
		}
		return this.drained;
	}

}
