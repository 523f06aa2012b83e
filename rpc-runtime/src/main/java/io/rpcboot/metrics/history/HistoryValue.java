package io.rpcboot.metrics.history;

import java.util.List;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Values of the process that the history keeps, each with its key, unit and description.
 * A value that was never reported is absent. Counters are rates per second since the
 * previous tick. The keys are stable.
 *
 * @since 0.1.0
 */
public enum HistoryValue {

	// values of the recorders of calls, connections and flushes

	CLIENT_CALLS("clientCalls", "calls/s", "Calls that ended on the client."),

	CLIENT_ERRORS("clientErrors", "calls/s",
			"Failed calls of these: any status but OK and DECLARED. "
					+ "Also as clientErrors.<STATUS> for each status that has occurred."),

	CLIENT_P50("clientP50", "ms", "Half of the client's calls took at most this; NaN without calls."),

	CLIENT_P99("clientP99", "ms", "99 of 100 of the client's calls took at most this; NaN without calls."),

	CLIENT_MAX("clientMax", "ms", "The longest of the client's calls; NaN without calls."),

	SERVER_CALLS("serverCalls", "calls/s", "Calls that ended on the server."),

	SERVER_ERRORS("serverErrors", "calls/s",
			"Failed calls of these: any status but OK and DECLARED. "
					+ "Also as serverErrors.<STATUS> for each status that has occurred."),

	SERVER_P50("serverP50", "ms", "Half of the server's calls took at most this; NaN without calls."),

	SERVER_P99("serverP99", "ms", "99 of 100 of the server's calls took at most this; NaN without calls."),

	SERVER_MAX("serverMax", "ms", "The longest of the server's calls; NaN without calls."),

	CLIENT_CONNECTIONS("clientConnections", "connections", "Connections of the client."),

	SERVER_CONNECTIONS("serverConnections", "connections", "Connections of the server."),

	CLIENT_BATCH("clientBatch", "frames", "Frames in one flush of the client, on average; NaN without flushes."),

	SERVER_BATCH("serverBatch", "frames", "Frames in one flush of the server, on average; NaN without flushes."),

	CLIENT_FLUSHES("clientFlushes", "flushes/s", "Flushes of the client. Also as clientFlushes.<REASON>."),

	SERVER_FLUSHES("serverFlushes", "flushes/s", "Flushes of the server. Also as serverFlushes.<REASON>."),

	CLIENT_STALLS("clientStalls", "stalls/s", "Flushes of the client after which the socket was full."),

	SERVER_STALLS("serverStalls", "stalls/s", "Flushes of the server after which the socket was full."),

	CONNECTS("connects", "connects/s", "Connections that the client established."),

	CONNECT_FAILURES("connectFailures", "connects/s", "Connections that the client could not establish."),

	// values of gauges

	PENDING("pending", "calls", "Calls waiting for a reply.", Feed.SUM, Gauge.PENDING),

	QUEUED("queued", "calls", "Calls waiting in the queue for a permit.", Feed.SUM, Gauge.QUEUED),

	HELD("held", "calls", "Calls waiting for an instance with a grant and a permit.", Feed.SUM, Gauge.HELD),

	LOST_CALLS("lostCalls", "calls/s", "One-way calls that failed before the socket took them.", Feed.RATE,
			Gauge.LOST_CALLS),

	CLIENT_MEMORY("clientMemory", "bytes", "Memory of the client: used bytes.", Feed.SUM, Gauge.CLIENT_MEMORY_INCOMING,
			Gauge.CLIENT_MEMORY_OUTGOING),

	CLIENT_MEMORY_LIMIT("clientMemoryLimit", "bytes", "Memory of the client: limit.", Feed.SUM,
			Gauge.CLIENT_MEMORY_LIMIT),

	CLIENT_MEMORY_WAITING("clientMemoryWaiting", "calls", "Arguments and replies that wait for memory of the client.",
			Feed.SUM, Gauge.CLIENT_MEMORY_WAITING),

	RESENT("resent", "calls/s", "Calls that were sent again.", Feed.RATE, Gauge.RESENT_REFUSED, Gauge.RESENT_GO_AWAY,
			Gauge.RESENT_DISCONNECTED, Gauge.RESENT_FAILED, Gauge.RESENT_HEDGED),

	DENIED_RETRIES("deniedRetries", "calls/s", "Failed calls that were not retried, because the budget was exhausted.",
			Feed.RATE, Gauge.RETRIES_DENIED),

	EXPIRED("expired", "calls/s", "Calls whose deadline passed before they were sent or executed.", Feed.RATE,
			Gauge.CLIENT_EXPIRED, Gauge.SERVER_EXPIRED),

	CANCELLED("cancelled", "calls/s", "Calls that were cancelled before they were sent or executed.", Feed.RATE,
			Gauge.CLIENT_CANCELLED, Gauge.SERVER_CANCELLED),

	CALLBACKS_BUSY("callbacksBusy", "threads", "Threads of the callback pool that complete a future.", Feed.SUM,
			Gauge.CALLBACKS_BUSY),

	CALLBACKS_WAITING("callbacksWaiting", "calls", "Futures waiting for a thread of the callback pool.", Feed.SUM,
			Gauge.CALLBACKS_WAITING),

	CLIENT_LOOPS("clientLoops", "threads", "Event loops of the client.", Feed.SUM, Gauge.CLIENT_LOOPS),

	CLIENT_LOOPS_BUSY("clientLoopsBusy", "share", "Share of time that the event loops of the client worked, 0 to 1.",
			Feed.BUSY, Gauge.CLIENT_LOOP_NANOS, Gauge.CLIENT_LOOPS),

	CLIENT_LOOP_TASKS("clientLoopTasks", "tasks", "Tasks waiting in the event loops of the client.", Feed.SUM,
			Gauge.CLIENT_LOOP_TASKS),

	IN_FLIGHT("inFlight", "calls", "Calls being executed or waiting for a thread.", Feed.SUM, Gauge.IN_FLIGHT),

	POOL_BUSY("poolBusy", "threads", "Threads of the server pool that run a call.", Feed.SUM, Gauge.POOL_BUSY),

	POOL_WAITING("poolWaiting", "calls", "Calls waiting for a thread of the server pool.", Feed.SUM,
			Gauge.POOL_WAITING),

	POOL_THREADS("poolThreads", "threads", "Maximum of threads of the server pool.", Feed.SUM, Gauge.POOL_THREADS),

	SERVER_LOOPS("serverLoops", "threads", "Event loops of the server.", Feed.SUM, Gauge.SERVER_LOOPS),

	SERVER_LOOPS_BUSY("serverLoopsBusy", "share", "Share of time that the event loops of the server worked, 0 to 1.",
			Feed.BUSY, Gauge.SERVER_LOOP_NANOS, Gauge.SERVER_LOOPS),

	SERVER_LOOP_TASKS("serverLoopTasks", "tasks", "Tasks waiting in the event loops of the server.", Feed.SUM,
			Gauge.SERVER_LOOP_TASKS),

	SERVER_MEMORY("serverMemory", "bytes", "Memory of the server: used bytes.", Feed.SUM, Gauge.SERVER_MEMORY_INCOMING,
			Gauge.SERVER_MEMORY_OUTGOING),

	SERVER_MEMORY_LIMIT("serverMemoryLimit", "bytes", "Memory of the server: limit.", Feed.SUM,
			Gauge.SERVER_MEMORY_LIMIT),

	SERVER_MEMORY_WAITING("serverMemoryWaiting", "calls", "Arguments and results that wait for memory of the server.",
			Feed.SUM, Gauge.SERVER_MEMORY_WAITING),

	DROPPED_CALLS("droppedCalls", "calls/s", "One-way calls that arrived and were not executed.", Feed.RATE,
			Gauge.DROPPED_CALLS),

	DROPPED_RESULTS("droppedResults", "results/s", "Results that were dropped, because their caller no longer waited.",
			Feed.RATE, Gauge.DROPPED_RESULTS),

	ALLOCATOR_HEAP("allocatorHeap", "bytes", "Heap that the allocators of buffers hold.", Feed.SUM,
			Gauge.ALLOCATOR_HEAP),

	ALLOCATOR_DIRECT("allocatorDirect", "bytes", "Direct memory that the allocators of buffers hold.", Feed.SUM,
			Gauge.ALLOCATOR_DIRECT),

	REGISTRY_CONNECTED("registryConnected", "registries", "1 while all registries are reachable, else 0.", Feed.LEAST,
			Gauge.REGISTRY_CONNECTED),

	// values of the JVM

	HEAP_USED("heapUsed", "bytes", "Used heap, including garbage that was not collected yet."),

	PROCESS_CPU("processCpu", "share", "CPU time of the process, 0 to 1 of all processors."),

	LOOPS_WAITING("loopsWaiting", "threads",
			"Event loops that were ready to run and got no processor, on average; absent where the system does not tell.");

	private final String key;

	private final String unit;

	private final String description;

	private final Feed feed;

	private final List<Gauge> levels;

	HistoryValue(String key, String unit, String description) {
		this(key, unit, description, Feed.COMPUTED);
	}

	HistoryValue(String key, String unit, String description, Feed feed, Gauge... levels) {
		this.key = key;
		this.unit = unit;
		this.description = description;
		this.feed = feed;
		this.levels = List.of(levels);
	}

	/**
	 * Returns the key in {@link TimeSeriesTable#values()}.
	 * @return in camel case
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the unit.
	 * @return for example {@code calls/s} or {@code ms}; a {@code share} is 0 to 1
	 */
	public String unit() {
		return this.unit;
	}

	/**
	 * Returns the description.
	 * @return a sentence
	 */
	public String description() {
		return this.description;
	}

	/** Returns the key of a part of this value. */
	String key(Enum<?> part) {
		return this.key + "." + part.name();
	}

	Feed feed() {
		return this.feed;
	}

	/** Returns the gauges of this value, none if it is computed. */
	List<Gauge> levels() {
		return this.levels;
	}

	/** Returns the gauges of this value that only rise. */
	List<Gauge> rising() {
		return switch (this.feed) {
			case RATE -> this.levels;
			case BUSY -> this.levels.subList(0, 1);
			case COMPUTED, SUM, LEAST -> List.of();
		};
	}

	/** Derivation of a value from its gauges. */
	enum Feed {

		/** Not from gauges. */
		COMPUTED,
		/** Sum of the gauges. */
		SUM,
		/** Smallest part. */
		LEAST,
		/** Rise of the sum per second. */
		RATE,
		/**
		 * Share of working time: the first gauge is working time in nanoseconds, the
		 * second the number of threads.
		 */
		BUSY

	}

}
