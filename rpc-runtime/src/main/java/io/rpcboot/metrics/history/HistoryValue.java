package io.rpcboot.metrics.history;

import java.util.List;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Every value of the process that the history keeps: its key, its unit and what it says.
 * A value that nobody reports is absent. What is counted is a rate per second since the
 * tick before. Dashboards may rely on the keys.
 */
public enum HistoryValue {

	// what the recorders of calls, connections and flushes say

	CLIENT_CALLS("clientCalls", "calls/s", "Calls that ended on the client."),

	CLIENT_ERRORS("clientErrors", "calls/s",
			"Those of them that failed: any status but OK and DECLARED. "
					+ "Also as clientErrors.<STATUS> for each status that has occurred."),

	CLIENT_P50("clientP50", "ms", "Half of the client's calls took at most this; NaN without calls."),

	CLIENT_P99("clientP99", "ms", "99 of 100 of the client's calls took at most this; NaN without calls."),

	CLIENT_MAX("clientMax", "ms", "The longest of the client's calls; NaN without calls."),

	SERVER_CALLS("serverCalls", "calls/s", "Calls that ended on the server."),

	SERVER_ERRORS("serverErrors", "calls/s",
			"Those of them that failed: any status but OK and DECLARED. "
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

	CLIENT_STALLS("clientStalls", "stalls/s", "Flushes of the client after which the socket took no more."),

	SERVER_STALLS("serverStalls", "stalls/s", "Flushes of the server after which the socket took no more."),

	CONNECTS("connects", "connects/s", "Connections that the client established."),

	CONNECT_FAILURES("connectFailures", "connects/s", "Connections that the client could not establish."),

	// what levels say: one line for each

	PENDING("pending", "calls", "Calls waiting for a reply.", Feed.SUM, Gauge.PENDING),

	QUEUED("queued", "calls", "Calls waiting for room among the pending.", Feed.SUM, Gauge.QUEUED),

	HELD("held", "calls", "Calls waiting for an instance with a grant and room.", Feed.SUM, Gauge.HELD),

	LOST_CALLS("lostCalls", "calls/s", "One-way calls that were lost before the socket had taken them.", Feed.RATE,
			Gauge.LOST_CALLS),

	CLIENT_MEMORY("clientMemory", "bytes", "The client's account: used.", Feed.SUM, Gauge.CLIENT_MEMORY_INCOMING,
			Gauge.CLIENT_MEMORY_OUTGOING),

	CLIENT_MEMORY_LIMIT("clientMemoryLimit", "bytes", "The client's account: limit.", Feed.SUM,
			Gauge.CLIENT_MEMORY_LIMIT),

	CLIENT_MEMORY_WAITING("clientMemoryWaiting", "calls", "Arguments and replies that wait for the client's memory.",
			Feed.SUM, Gauge.CLIENT_MEMORY_WAITING),

	RESENT("resent", "calls/s", "Calls that were sent again.", Feed.RATE, Gauge.RESENT_REFUSED, Gauge.RESENT_GO_AWAY,
			Gauge.RESENT_DISCONNECTED, Gauge.RESENT_FAILED, Gauge.RESENT_HEDGED),

	DENIED_RETRIES("deniedRetries", "calls/s", "Failed calls that were not made once more for want of a budget.",
			Feed.RATE, Gauge.RETRIES_DENIED),

	EXPIRED("expired", "calls/s", "Calls whose time was over before they were sent or began.", Feed.RATE,
			Gauge.CLIENT_EXPIRED, Gauge.SERVER_EXPIRED),

	CANCELLED("cancelled", "calls/s", "Calls that were cancelled before they were sent or began.", Feed.RATE,
			Gauge.CLIENT_CANCELLED, Gauge.SERVER_CANCELLED),

	CALLBACKS_BUSY("callbacksBusy", "threads", "Threads of the callback pool that complete a future.", Feed.SUM,
			Gauge.CALLBACKS_BUSY),

	CALLBACKS_WAITING("callbacksWaiting", "calls", "Futures waiting for a thread of the callback pool.", Feed.SUM,
			Gauge.CALLBACKS_WAITING),

	CLIENT_LOOPS("clientLoops", "threads", "Event loops of the client.", Feed.SUM, Gauge.CLIENT_LOOPS),

	CLIENT_LOOPS_BUSY("clientLoopsBusy", "share", "Time that the client's event loops worked, 0 to 1.", Feed.BUSY,
			Gauge.CLIENT_LOOP_NANOS, Gauge.CLIENT_LOOPS),

	CLIENT_LOOP_TASKS("clientLoopTasks", "tasks", "Tasks waiting in the client's event loops.", Feed.SUM,
			Gauge.CLIENT_LOOP_TASKS),

	IN_FLIGHT("inFlight", "calls", "Calls being executed or waiting for a thread.", Feed.SUM, Gauge.IN_FLIGHT),

	POOL_BUSY("poolBusy", "threads", "Threads of the server's pool that run a call.", Feed.SUM, Gauge.POOL_BUSY),

	POOL_WAITING("poolWaiting", "calls", "Calls waiting for a thread of the server's pool.", Feed.SUM,
			Gauge.POOL_WAITING),

	POOL_THREADS("poolThreads", "threads", "Most threads of the server's pool.", Feed.SUM, Gauge.POOL_THREADS),

	SERVER_LOOPS("serverLoops", "threads", "Event loops of the server.", Feed.SUM, Gauge.SERVER_LOOPS),

	SERVER_LOOPS_BUSY("serverLoopsBusy", "share", "Time that the server's event loops worked, 0 to 1.", Feed.BUSY,
			Gauge.SERVER_LOOP_NANOS, Gauge.SERVER_LOOPS),

	SERVER_LOOP_TASKS("serverLoopTasks", "tasks", "Tasks waiting in the server's event loops.", Feed.SUM,
			Gauge.SERVER_LOOP_TASKS),

	SERVER_MEMORY("serverMemory", "bytes", "The server's account: used.", Feed.SUM, Gauge.SERVER_MEMORY_INCOMING,
			Gauge.SERVER_MEMORY_OUTGOING),

	SERVER_MEMORY_LIMIT("serverMemoryLimit", "bytes", "The server's account: limit.", Feed.SUM,
			Gauge.SERVER_MEMORY_LIMIT),

	SERVER_MEMORY_WAITING("serverMemoryWaiting", "calls", "Arguments and results that wait for the server's memory.",
			Feed.SUM, Gauge.SERVER_MEMORY_WAITING),

	DROPPED_CALLS("droppedCalls", "calls/s", "One-way calls that arrived and did not begin.", Feed.RATE,
			Gauge.DROPPED_CALLS),

	DROPPED_RESULTS("droppedResults", "results/s", "Results whose caller waited no longer.", Feed.RATE,
			Gauge.DROPPED_RESULTS),

	ALLOCATOR_HEAP("allocatorHeap", "bytes", "Heap that the allocators of buffers hold.", Feed.SUM,
			Gauge.ALLOCATOR_HEAP),

	ALLOCATOR_DIRECT("allocatorDirect", "bytes", "Direct memory that the allocators of buffers hold.", Feed.SUM,
			Gauge.ALLOCATOR_DIRECT),

	REGISTRY_CONNECTED("registryConnected", "registries", "1 while all registries can be reached, else 0.", Feed.LEAST,
			Gauge.REGISTRY_CONNECTED),

	// what the JVM says

	HEAP_USED("heapUsed", "bytes", "Heap in use, garbage that was not collected yet included."),

	PROCESS_CPU("processCpu", "share", "Time of processors that the process had, 0 to 1 of all of them.");

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
	 * The name in {@link TimeSeriesTable#values()}.
	 * @return in camel case
	 */
	public String key() {
		return this.key;
	}

	/**
	 * What it is measured in.
	 * @return for example {@code calls/s} or {@code ms}; {@code share} is 0 to 1
	 */
	public String unit() {
		return this.unit;
	}

	/**
	 * What it says.
	 * @return a sentence
	 */
	public String description() {
		return this.description;
	}

	/** The name of a part of it. */
	String key(Enum<?> part) {
		return this.key + "." + part.name();
	}

	Feed feed() {
		return this.feed;
	}

	/** The levels it is read from, none if it is computed. */
	List<Gauge> levels() {
		return this.levels;
	}

	/** Those of its levels that only rise. */
	List<Gauge> rising() {
		return switch (this.feed) {
			case RATE -> this.levels;
			case BUSY -> this.levels.subList(0, 1);
			case COMPUTED, SUM, LEAST -> List.of();
		};
	}

	/** How it comes from its levels. */
	enum Feed {

		/** Not from levels. */
		COMPUTED,
		/** Their sum. */
		SUM,
		/** The least that a part says. */
		LEAST,
		/** Their sum only rises: what it rose in a second. */
		RATE,
		/** Nanoseconds of work, only rising, and threads: the share of their time. */
		BUSY

	}

}
