package io.rpcboot.internal.server.runtime;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.Side;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.concurrent.SerialExecutor;
import io.rpcboot.internal.concurrent.VirtualThreads;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.CorsPolicy;
import io.rpcboot.internal.server.scheduling.Bulkhead;
import io.rpcboot.internal.server.scheduling.CallScheduler;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.server.services.ServiceTable;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.frame.BodyAllocator;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.transport.StreamInfo;
import org.jspecify.annotations.Nullable;

/** Resources that all connections of a server share. Thread-safe. */
public final class ServerResources {

	/** Reason of GO_AWAY during a shutdown. */
	public static final String SHUTS_DOWN = "the server is shutting down";

	/** Window of calls of a new connection; doubled while its client uses it. */
	public static final int INITIAL_CALLS = 64;

	/** Maximum threads for hooks. Each service uses at most one. */
	private static final int HOOK_THREADS = 16;

	/** Maximum threads that check credentials. */
	private static final int CHECK_THREADS = 4;

	/** Maximum bytes that one connection may send ahead. */
	private static final long MAX_AHEAD = 64 * 1024 * 1024;

	/** Credits that each connection gets, even if the pool is exhausted. */
	private static final int MIN_CALLS = 16;

	public final ServerOptions options;

	public final TransportRecorder recorder;

	public final CallCreditPool calls;

	public final ResponseMemory memory;

	public final ServiceTable services;

	public final WorkerPool workers;

	public final CallScheduler queue;

	public final Executor virtualThreads;

	/** Parses contracts of clients, one at a time to bound the memory. */
	public final Executor tables;

	/** Runs the listeners of connections, on one thread at a time. */
	public final Executor listeners;

	/**
	 * Threads that report cancellations to implementations and the end of goAway() to the
	 * application: not workers, because all of these may wait for that.
	 */
	public final WorkerPool hookThreads = new WorkerPool("rpc-hook-", HOOK_THREADS);

	/** Threads that check credentials, which may take long or block. */
	private final WorkerPool checks = new WorkerPool("rpc-auth-", CHECK_THREADS);

	/** Runs the computations of TLS handshakes on at most half of the cores. */
	public final WorkerPool tlsThreads = new WorkerPool("rpc-tls-",
			Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

	/** Executors of hooks by service. */
	private final Map<ServiceQueue, Executor> hooks = new ConcurrentHashMap<>();

	public final OutputBuffer.Pool buffers;

	public final RateLimitedLogger log;

	/** Logs exceptions that interfaces do not declare. */
	public final UnexpectedExceptionLog undeclared;

	public final Set<ActiveConnection> connections = ConcurrentHashMap.newKeySet();

	/** Calls in flight up to which calls are not counted by service. */
	public final int countingThreshold;

	/** Calls received whose response is not written. */
	public final AtomicInteger inFlight = new AtomicInteger();

	/** Open streams, which are calls in flight, too. */
	public final OpenStreams streams;

	/** Decides who may call what; null without limits. */
	public final @Nullable AccessControl access;

	/** Decides which pages may call from a browser. */
	public final CorsPolicy cors;

	public final ServerCounters counts = new ServerCounters();

	/** Clients in clear text; null if the port speaks no TLS. */
	private volatile @Nullable ClearTextClients clearText;

	/** True if new connections receive GO_AWAY. */
	public volatile boolean isDraining;

	/** Reason in GO_AWAY. */
	public volatile String whyGoAway = SHUTS_DOWN;

	/** Completed when no call is in flight during a shutdown. */
	private final CompletableFuture<Boolean> drained = new CompletableFuture<>();

	/** True once all connections have sent GO_AWAY, so that no call is added. */
	private volatile boolean awaitingIdle;

	public ServerResources(ServerOptions options, ServiceTable services, BodyAllocator memory, RateLimitedLogger log) {
		this.options = options;
		this.recorder = options.metrics.transport(Side.SERVER);
		Bulkhead share = options.share();
		this.log = log;
		this.undeclared = new UnexpectedExceptionLog(log);
		this.countingThreshold = share.countingThreshold();
		this.services = services;
		this.streams = new OpenStreams(options.maxStreams);
		this.calls = new CallCreditPool(options.maxInFlightCalls, options.maxCallsPerConnection, MIN_CALLS);
		memory.account().keepForEarned(Math.max(options.maxFrameSize, ResponseMemory.THREAD_OVERDRAFT));
		this.memory = new ResponseMemory(memory, this::runAgain, this.connections, options.maxFrameSize);
		this.workers = new WorkerPool("rpc-worker-", options.maxThreads);
		this.queue = new CallScheduler(this.workers, share.isShared(), System::nanoTime);
		this.virtualThreads = VirtualThreads.executor("rpc-virtual-", this.workers);
		this.tables = new SerialExecutor(this.workers);
		this.listeners = new SerialExecutor(this.workers);
		this.buffers = new OutputBuffer.Pool(options.maxFrameSize);
		this.cors = new CorsPolicy(options.http.cors());
		this.access = options.limitsAccess()
				? new AccessControl(options.access, options.allowed(), this.checks, log, InstantSource.system()) : null;
	}

	/**
	 * Returns the window of bytes for a new connection, not open yet.
	 * @param reserved run by any thread when bytes are reserved that the client has asked
	 * for
	 */
	public ReceiveWindow newWindow(Runnable reserved) {
		return new ReceiveWindow(this.memory.account(), MAX_AHEAD, reserved);
	}

	/** Returns the number of open streams. */
	public int openStreams() {
		return this.streams.count();
	}

	/** Returns the oldest open streams, at most a number of them. */
	public List<StreamInfo> oldestStreams(int atMost) {
		return this.streams.oldest(atMost);
	}

	/** Records that a client has proved a name. */
	public void identified(CallerIdentity before, CallerIdentity identity) {
		if (identity.isAuthenticated() && !identity.getName().equals(before.getName())) {
			this.recorder.connectionIdentified(identity.getName());
		}
	}

	/** Runs a call that has waited without a thread. */
	public void runAgain(ScheduledCall call) {
		Executor runner = (call.method.dispatch == Dispatch.VIRTUAL) ? this.virtualThreads : this.workers;
		runner.execute(call);
	}

	/**
	 * Runs code of the application on a hook thread, one task at a time for each service.
	 * @param of queue of the service or of one of its methods
	 */
	public void runHook(ServiceQueue of, Runnable hook) {
		this.hooks.computeIfAbsent(of.service(), (any) -> new SerialExecutor(this.hookThreads)).execute(hook);
	}

	/** Ends the threads; queued tasks are run first. */
	public void closeThreads() {
		this.workers.close();
		this.hookThreads.close();
		this.checks.close();
		this.tlsThreads.close();
	}

	/**
	 * Sets whether new connections receive GO_AWAY.
	 * @param why the reason, null if they do not
	 */
	public void setDraining(@Nullable String why) {
		this.whyGoAway = (why != null) ? why : SHUTS_DOWN;
		this.isDraining = why != null;
	}

	/** Counts clients in clear text from now on. */
	public void countClearText(ClearTextClients clients) {
		this.clearText = clients;
	}

	/**
	 * Notes the application of a connection, once it is known.
	 * @param encrypted true if the connection uses TLS
	 */
	public void onApplication(boolean encrypted, String application) {
		ClearTextClients clients = this.clearText;
		if (clients != null && !encrypted) {
			clients.connected(application);
		}
	}

	/** Completes a drain: the last call in flight has ended. */
	public void onIdle() {
		if (this.awaitingIdle) {
			this.drained.complete(true);
		}
	}

	/**
	 * Returns a future that completes when no call is in flight. To be called once all
	 * connections have sent GO_AWAY.
	 */
	public CompletableFuture<Boolean> drained() {
		this.awaitingIdle = true;
		if (this.inFlight.get() == 0) {
			this.drained.complete(true);
		}
		return this.drained;
	}

	/** Registers the gauges of the server and returns them. */
	public GaugeRegistrations gauges(WorkerPoolStats pool) {
		MemoryBudget budget = this.memory.account();
		GaugeRegistrations gauges = new GaugeRegistrations(this.options.metrics)
			.offer(Gauge.IN_FLIGHT, this.inFlight::get)
			.offer(Gauge.STREAMS, this.streams::count)
			.offer(Gauge.GRANTED_CALLS, this.calls::granted)
			.offer(Gauge.GRANTED_BYTES, () -> budget.used(Direction.INCOMING))
			.offer(Gauge.SERVER_MEMORY_INCOMING, () -> budget.used(Direction.INCOMING))
			.offer(Gauge.SERVER_MEMORY_OUTGOING, () -> budget.used(Direction.OUTGOING))
			.offer(Gauge.SERVER_MEMORY_LIMIT, budget::limit)
			.offer(Gauge.SERVER_MEMORY_WAITING, budget::waiting)
			.offer(Gauge.DROPPED_RESULTS, this.memory::dropped)
			.offer(Gauge.POOL_THREADS, pool::maxThreads)
			.offer(Gauge.POOL_BUSY, pool::busy)
			.offer(Gauge.POOL_WAITING, pool::waiting);
		this.counts.offerTo(gauges);
		AccessControl limits = this.access;
		LongAdder none = new LongAdder();
		LongAdder unauthenticated = (limits != null) ? limits.unauthenticated : none;
		LongAdder denied = (limits != null) ? limits.denied : none;
		return gauges
			.offer(Gauge.SERVER_UNAUTHENTICATED, () -> this.counts.unauthenticated.sum() + unauthenticated.sum())
			.offer(Gauge.SERVER_PERMISSION_DENIED, () -> this.counts.denied.sum() + denied.sum());
	}

}
