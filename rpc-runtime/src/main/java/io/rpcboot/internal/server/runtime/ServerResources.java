package io.rpcboot.internal.server.runtime;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.Side;
import io.rpcboot.internal.concurrent.SerialExecutor;
import io.rpcboot.internal.concurrent.VirtualThreads;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.scheduling.CallScheduler;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/** What every connection of a server shares. Thread-safe. */
public final class ServerResources {

	public static final String SHUTS_DOWN = "the server is shutting down";

	/** A lone blocking caller never needs more; who does doubles it in a few raises. */
	public static final int FIRST_CALLS = 64;

	/** One for each service that has something to be told; more wait for their turn. */
	private static final int HOOK_THREADS = 16;

	/** Bytes that one connection may send ahead, if they are there. */
	private static final long MOST_AHEAD = 64 * 1024 * 1024;

	/** For each connection, whatever the others were promised. */
	private static final int LEAST_CALLS = 16;

	public final ServerOptions options;

	public final TransportRecorder recorder;

	public final CallCreditPool calls;

	public final ResponseMemory memory;

	public final ServiceTable services;

	public final WorkerPool workers;

	public final CallScheduler queue;

	public final Executor virtualThreads;

	/** Looks at the tables of clients, one at a time, for each takes memory meanwhile. */
	public final Executor tables;

	/** Tells the listeners of connections, in one thread whatever they do. */
	public final Executor listeners;

	/**
	 * Tell implementations that nobody waits, and an operator that all clients were told:
	 * all workers may wait for that.
	 */
	public final WorkerPool hookThreads = new WorkerPool("rpc-hook-", HOOK_THREADS);

	private final Map<ServiceQueue, Executor> hooks = new ConcurrentHashMap<>();

	public final OutputBuffer.Pool buffers;

	public final RateLimitedLogger log;

	/** What implementations throw and do not declare. */
	public final UnexpectedExceptionLog undeclared;

	public final Set<ActiveConnection> connections = ConcurrentHashMap.newKeySet();

	/** While more calls are in flight, each is counted for its service, too. */
	public final int countingThreshold;

	/** Calls received whose answer is not written yet. */
	public final AtomicInteger inFlight = new AtomicInteger();

	public final ServerCounters counts = new ServerCounters();

	/** Whether new connections are told to go away. */
	public volatile boolean isDraining;

	/** What clients are told when they are to go away. */
	public volatile String whyGoAway = SHUTS_DOWN;

	private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

	/** Whether every connection was told to go away, so that no call is added. */
	private volatile boolean awaitingIdle;

	public ServerResources(ServerOptions options, ServiceTable services, BodyAllocator memory, RateLimitedLogger log) {
		this.options = options;
		this.recorder = options.metrics.transport(Side.SERVER);
		Bulkhead share = options.share();
		this.log = log;
		this.undeclared = new UnexpectedExceptionLog(log);
		this.countingThreshold = share.countingThreshold();
		this.services = services;
		this.calls = new CallCreditPool(options.maxInFlightCalls, options.maxCallsPerConnection, LEAST_CALLS);
		this.memory = new ResponseMemory(memory, this::runAgain, this.connections);
		this.workers = new WorkerPool("rpc-worker-", options.maxThreads);
		this.queue = new CallScheduler(this.workers, share.isShared(), System::nanoTime);
		this.virtualThreads = VirtualThreads.executor("rpc-virtual-", this.workers);
		this.tables = new SerialExecutor(this.workers);
		this.listeners = new SerialExecutor(this.workers);
		this.buffers = new OutputBuffer.Pool(options.maxFrameSize);
	}

	/**
	 * The bytes that a new connection may send, not opened yet.
	 * @param admitted told by any thread when bytes that its client needs are reserved
	 */
	public ReceiveWindow newGrant(Runnable admitted) {
		return new ReceiveWindow(this.memory.account(), MOST_AHEAD, admitted);
	}

	/** Run a call that has waited without a thread. */
	private void runAgain(ScheduledCall call) {
		Executor runner = (call.method.dispatch == Dispatch.VIRTUAL) ? this.virtualThreads : this.workers;
		runner.execute(call);
	}

	/**
	 * Run what an application does beside its calls, one after the other for each
	 * service: if it blocks, it takes one thread.
	 * @param of calls of which service it belongs to
	 */
	public void runHook(ServiceQueue of, Runnable hook) {
		this.hooks.computeIfAbsent(of.service(), (any) -> new SerialExecutor(this.hookThreads)).execute(hook);
	}

	/** End the threads; what is queued is run first. */
	public void closeThreads() {
		this.workers.close();
		this.hookThreads.close();
	}

	/** New connections are told to go away, and why; null if they are not. */
	public void setDraining(@Nullable String why) {
		this.whyGoAway = (why != null) ? why : SHUTS_DOWN;
		this.isDraining = why != null;
	}

	/** Asked when the last call in flight has ended during a shutdown. */
	public void onIdle() {
		if (this.awaitingIdle) {
			this.drained.complete(true);
		}
	}

	/** Completes when no call is in flight; ask after every connection was told. */
	public CompletableFuture<Boolean> drained() {
		this.awaitingIdle = true;
		if (this.inFlight.get() == 0) {
			this.drained.complete(true);
		}
		return this.drained;
	}

}
