package io.rpcboot.metrics.micrometer;

import java.util.List;

import io.micrometer.core.instrument.Meter;
import org.jspecify.annotations.Nullable;

import static io.micrometer.core.instrument.Meter.Type.COUNTER;
import static io.micrometer.core.instrument.Meter.Type.DISTRIBUTION_SUMMARY;
import static io.micrometer.core.instrument.Meter.Type.GAUGE;
import static io.micrometer.core.instrument.Meter.Type.TIMER;

/**
 * Every meter: its name, type, base unit, description and the keys of its tags.
 * Dashboards and alerts may rely on them.
 */
public enum RpcMeters {

	CLIENT_CALLS("rpc.client.calls", TIMER, "seconds",
			"Calls on the client, from their start until the caller goes on or the reply was read", "service", "method",
			"status"),

	SERVER_CALLS("rpc.server.calls", TIMER, "seconds", "Calls on the server, from decoding to the answer", "service",
			"method", "status"),

	SERVER_EXCEPTIONS("rpc.server.exceptions", COUNTER, null,
			"Exceptions of implementations that their interfaces do not declare, by class", "service", "method",
			"exception"),

	CLIENT_CALLS_MAX("rpc.client.calls.max", GAUGE, "seconds",
			"The longest call on the client, since the last reading and in the minutes before", "service", "method",
			"status"),

	SERVER_CALLS_MAX("rpc.server.calls.max", GAUGE, "seconds",
			"The longest call on the server, since the last reading and in the minutes before", "service", "method",
			"status"),

	CLIENT_CALLS_BYTES("rpc.client.calls.bytes", COUNTER, "bytes",
			"Bytes of the arguments and results of calls that were answered, on the client", "service", "method",
			"direction"),

	SERVER_CALLS_BYTES("rpc.server.calls.bytes", COUNTER, "bytes",
			"Bytes of the arguments and results of calls that ended, on the server", "service", "method", "direction"),

	CLIENT_SERIALIZATION_FAILURES("rpc.client.serialization.failures", COUNTER, null,
			"Arguments that did not become bytes (write), replies that could not be read", "service", "method",
			"direction"),

	SERVER_SERIALIZATION_FAILURES("rpc.server.serialization.failures", COUNTER, null,
			"Results that did not become bytes (write), arguments that could not be read", "service", "method",
			"direction"),

	CLIENT_PENDING("rpc.client.calls.pending", GAUGE, "calls", "Calls under way at the client"),

	CLIENT_QUEUED("rpc.client.calls.queued", GAUGE, "calls",
			"Calls that wait in a queue for room among the pending ones"),

	CLIENT_HELD("rpc.client.calls.held", GAUGE, "calls",
			"Calls that wait for an instance with a grant and room, or for its memory"),

	CLIENT_LOST_CALLS("rpc.client.calls.lost", COUNTER, null,
			"One-way calls that failed before the socket had taken them; the log says why"),

	CLIENT_RESENT("rpc.client.calls.resent", COUNTER, null,
			"Calls that were sent again, by why: they came back without having run, or had failed", "reason"),

	CLIENT_RETRIES_DENIED("rpc.client.retries.denied", COUNTER, null,
			"Calls of idempotent methods that failed and were not made once more for want of a budget"),

	CLIENT_RETRIES_LEFT("rpc.client.retries.left", GAUGE, "calls",
			"Calls that may be made once more now: what is left of the budget of all references to a service",
			"service"),

	CLIENT_EXPIRED("rpc.client.calls.expired", COUNTER, null, "Calls whose time was over before they were sent"),

	CLIENT_CANCELLED("rpc.client.calls.cancelled", COUNTER, null, "Calls that were cancelled before they were sent"),

	CLIENT_CONTRACTS_REFUSED("rpc.client.contracts.refused", COUNTER, null,
			"Services of which a server refused all or some methods, once for each connection"),

	CLIENT_CALLBACK_THREADS("rpc.client.callbacks.threads", GAUGE, "threads", "Most threads of the callback pool"),

	CLIENT_CALLBACKS_BUSY("rpc.client.callbacks.busy", GAUGE, "threads",
			"Threads of the callback pool that complete a future"),

	CLIENT_CALLBACKS_WAITING("rpc.client.callbacks.waiting", GAUGE, "tasks",
			"Futures that wait for a thread of the callback pool"),

	CLIENT_INSTANCES("rpc.client.instances", GAUGE, "instances",
			"Instances that references know, by whether they take calls", "service", "state"),

	SERVER_IN_FLIGHT("rpc.server.calls.in.flight", GAUGE, "calls",
			"Calls that execute, wait for a thread, or are being answered"),

	SERVER_GRANTED_CALLS("rpc.server.grants.calls", GAUGE, "calls",
			"Calls that all connections together may have under way"),

	SERVER_GRANTED_BYTES("rpc.server.grants.bytes", GAUGE, "bytes",
			"Bytes that the arguments of the granted calls may take"),

	CLIENT_MEMORY_USED("rpc.client.memory.used", GAUGE, "bytes", "Bytes that arguments and replies take on the client",
			"direction"),

	CLIENT_MEMORY_LIMIT("rpc.client.memory.limit", GAUGE, "bytes",
			"Most bytes that arguments and replies may take on the client"),

	CLIENT_MEMORY_WAITING("rpc.client.memory.waiting", GAUGE, "calls",
			"Calls whose arguments or replies wait for memory on the client"),

	SERVER_MEMORY_USED("rpc.server.memory.used", GAUGE, "bytes", "Bytes that arguments and results take on the server",
			"direction"),

	SERVER_MEMORY_LIMIT("rpc.server.memory.limit", GAUGE, "bytes",
			"Most bytes that arguments and results may take on the server"),

	SERVER_MEMORY_WAITING("rpc.server.memory.waiting", GAUGE, "calls",
			"Calls that wait for memory on the server, for their arguments or their result"),

	SERVER_DROPPED_RESULTS("rpc.server.results.dropped", COUNTER, null,
			"Results that were dropped because their caller waited for them no longer"),

	SERVER_DROPPED_CALLS("rpc.server.calls.dropped", COUNTER, null,
			"One-way calls that arrived and did not begin; the log says why"),

	SERVER_POOL_BUSY("rpc.server.pool.busy", GAUGE, "threads", "Threads of the pool that run a call"),

	SERVER_POOL_WAITING("rpc.server.pool.waiting", GAUGE, "calls", "Calls that wait for a thread of the pool"),

	SERVER_POOL_THREADS("rpc.server.pool.threads", GAUGE, "threads", "Most threads of the pool"),

	SERVER_STARTED("rpc.server.started", TIMER, "seconds",
			"How long calls wait for a thread from their decoding: one in 64, and that which waits longest while one does"),

	SERVER_EXPIRED("rpc.server.calls.expired", COUNTER, null,
			"Calls that did not begin: their time was over, or too little of it was left"),

	SERVER_CANCELLED("rpc.server.calls.cancelled", COUNTER, null,
			"Calls that did not begin: they were cancelled, or their connection had ended"),

	SERVER_CONTRACTS_REFUSED("rpc.server.contracts.refused", COUNTER, null,
			"Services of which a client was refused all or some methods, once for each connection"),

	SERVER_ONLINE("rpc.server.online", GAUGE, null, "Whether no operator has taken the server out: 1 or 0"),

	SERVER_AGED_CONNECTIONS("rpc.server.connections.aged", COUNTER, null,
			"Connections that have ended because of rpc.server.connection-max-age"),

	SERVER_DRAINED_CALLS("rpc.server.calls.drained", COUNTER, null, "Calls that a shutdown has waited for"),

	SERVER_CUT_CALLS("rpc.server.calls.cut", COUNTER, null,
			"Calls that had not ended when the time of a shutdown was over"),

	REGISTRY_CONNECTED("rpc.registry.connected", GAUGE, null, "Whether the registry can be reached: 1 or 0"),

	REGISTRY_OUTAGES("rpc.registry.outages", COUNTER, null, "How often the registry was lost"),

	REGISTRY_SNAPSHOT_SERVICES("rpc.registry.snapshot.services", GAUGE, "services",
			"Services whose instances are those of the snapshot, because the registry has named none since the start"),

	CLIENT_CONNECTIONS("rpc.client.connections", GAUGE, "connections", "Connections of the client", "state"),

	SERVER_CONNECTIONS("rpc.server.connections", GAUGE, "connections", "Connections of the server", "state"),

	CLIENT_CONNECTS("rpc.client.connects", COUNTER, null, "Connections that were made, handshake done, or failed",
			"outcome"),

	CLIENT_GO_AWAYS("rpc.client.goaways", COUNTER, null, "Times that a server told this client to go away"),

	SERVER_GO_AWAYS("rpc.server.goaways", COUNTER, null, "Times that this server told a client to go away"),

	CLIENT_LOOPS("rpc.client.loops", GAUGE, "threads", "Event loops of the client"),

	SERVER_LOOPS("rpc.server.loops", GAUGE, "threads", "Event loops of the server"),

	CLIENT_LOOP_TASKS("rpc.client.loops.tasks", GAUGE, "tasks", "Tasks that wait for their turn in the client's loops"),

	SERVER_LOOP_TASKS("rpc.server.loops.tasks", GAUGE, "tasks", "Tasks that wait for their turn in the server's loops"),

	CLIENT_LOOPS_BUSY("rpc.client.loops.busy", COUNTER, "seconds",
			"Time that all loops of the client have spent working"),

	SERVER_LOOPS_BUSY("rpc.server.loops.busy", COUNTER, "seconds",
			"Time that all loops of the server have spent working"),

	CLIENT_WRITTEN("rpc.client.written", TIMER, "seconds",
			"From the start of a call until the socket took it: the oldest of a batch, for one frame in 64"),

	SERVER_WRITTEN("rpc.server.written", TIMER, "seconds",
			"From when a result was there until the socket took it: for one call in 64"),

	CLIENT_FLUSH_WAITS("rpc.client.flush.waits", COUNTER, null,
			"What batching AUTO decided on the client: to wait a round of the loop, to probe one, to go at once",
			"decision"),

	SERVER_FLUSH_WAITS("rpc.server.flush.waits", COUNTER, null,
			"What batching AUTO decided on the server: to wait a round of the loop, to probe one, to go at once",
			"decision"),

	ALLOCATOR_USED("rpc.allocator.used", GAUGE, "bytes",
			"Memory that the allocators of network buffers hold, with what they keep for later", "memory"),

	CLIENT_FLUSH_MESSAGES("rpc.client.flush.messages", DISTRIBUTION_SUMMARY, "messages",
			"Frames that left the client in one flush"),

	SERVER_FLUSH_MESSAGES("rpc.server.flush.messages", DISTRIBUTION_SUMMARY, "messages",
			"Frames that left the server in one flush"),

	CLIENT_FLUSH_BYTES("rpc.client.flush.bytes", DISTRIBUTION_SUMMARY, "bytes",
			"Bytes that left the client in one flush"),

	SERVER_FLUSH_BYTES("rpc.server.flush.bytes", DISTRIBUTION_SUMMARY, "bytes",
			"Bytes that left the server in one flush"),

	CLIENT_FLUSHES("rpc.client.flushes", COUNTER, null, "Flushes of the client, by what caused them", "reason"),

	SERVER_FLUSHES("rpc.server.flushes", COUNTER, null, "Flushes of the server, by what caused them", "reason"),

	CLIENT_STALLS("rpc.client.stalls", COUNTER, null, "Flushes of the client after which the socket took no more"),

	SERVER_STALLS("rpc.server.stalls", COUNTER, null, "Flushes of the server after which the socket took no more");

	/** Tag: {@code name[:version][@group]} of the service. */
	public static final String TAG_SERVICE = "service";

	/** Tag: the method with its parameter types, such as {@code getUser(long)}. */
	public static final String TAG_METHOD = "method";

	/** Tag: the name of an {@link io.rpcboot.RpcStatus}, such as {@code OK}. */
	public static final String TAG_STATUS = "status";

	/**
	 * Tag: the name of an exception's class, such as
	 * {@code java.lang.NullPointerException}; {@code other} beyond 16 of a method.
	 */
	public static final String TAG_EXCEPTION = "exception";

	/**
	 * Tag: of flushes the name of a
	 * {@link io.rpcboot.metrics.TransportRecorder.FlushReason} in lower case; of calls
	 * {@code refused}, {@code go_away} or {@code disconnected}.
	 */
	public static final String TAG_REASON = "reason";

	/**
	 * Tag: of memory {@code incoming} for what peers send, {@code outgoing} for what they
	 * get; of bytes {@code argument} or {@code result}; of serialization {@code write} or
	 * {@code read}.
	 */
	public static final String TAG_DIRECTION = "direction";

	/**
	 * Tag: of a connection {@code opening}, {@code ready} or {@code leaving}; of an
	 * instance the name of its state in lower case, such as {@code backing_off}.
	 */
	public static final String TAG_STATE = "state";

	/** Tag: {@code connected} or {@code failed}. */
	public static final String TAG_OUTCOME = "outcome";

	/** Tag: {@code wait}, {@code probe} or {@code go}. */
	public static final String TAG_DECISION = "decision";

	/** Tag: {@code heap} or {@code direct}. */
	public static final String TAG_MEMORY = "memory";

	/** Value of a tag: what would be too many values. */
	public static final String OTHER = "other";

	private final String meterName;

	private final Meter.Type type;

	private final @Nullable String baseUnit;

	private final List<String> tags;

	private final String description;

	RpcMeters(String meterName, Meter.Type type, @Nullable String baseUnit, String description, String... tags) {
		this.meterName = meterName;
		this.type = type;
		this.baseUnit = baseUnit;
		this.description = description;
		this.tags = List.of(tags);
	}

	/**
	 * The name, as Micrometer writes names; a monitoring system may write it otherwise.
	 * @return for example {@code rpc.client.calls}
	 */
	public String meterName() {
		return this.meterName;
	}

	/**
	 * What kind of meter it is.
	 * @return the type
	 */
	public Meter.Type type() {
		return this.type;
	}

	/**
	 * What its values count. For a timer the registry decides how it shows time.
	 * @return the unit, null for a plain number of events
	 */
	public @Nullable String baseUnit() {
		return this.baseUnit;
	}

	/**
	 * The keys of its tags.
	 * @return in the order of declaration
	 */
	public List<String> tags() {
		return this.tags;
	}

	/**
	 * What it says of itself, which Prometheus shows as {@code # HELP}.
	 * @return a phrase without a full stop
	 */
	public String description() {
		return this.description;
	}

}
