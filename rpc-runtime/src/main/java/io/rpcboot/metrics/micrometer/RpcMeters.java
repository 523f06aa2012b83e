package io.rpcboot.metrics.micrometer;

import java.util.List;

import io.micrometer.core.instrument.Meter;
import org.jspecify.annotations.Nullable;

import static io.micrometer.core.instrument.Meter.Type.COUNTER;
import static io.micrometer.core.instrument.Meter.Type.DISTRIBUTION_SUMMARY;
import static io.micrometer.core.instrument.Meter.Type.GAUGE;
import static io.micrometer.core.instrument.Meter.Type.TIMER;

/**
 * All meters with name, type, base unit, description and tags. Names, units and tags are
 * stable.
 *
 * @since 0.1.0
 */
public enum RpcMeters {

	CLIENT_CALLS("rpc.client.calls", TIMER, "seconds",
			"Calls on the client, from their start until the caller continues or the reply was read", "service",
			"method", "protocol", "status"),

	SERVER_CALLS("rpc.server.calls", TIMER, "seconds", "Calls on the server, from decoding to the reply", "service",
			"method", "protocol", "status"),

	SERVER_EXCEPTIONS("rpc.server.exceptions", COUNTER, null, "Undeclared exceptions of implementations, by class",
			"service", "method", "exception"),

	CLIENT_CALLS_MAX("rpc.client.calls.max", GAUGE, "seconds",
			"The longest call on the client, since the last reading and in the minutes before", "service", "method",
			"protocol", "status"),

	SERVER_CALLS_MAX("rpc.server.calls.max", GAUGE, "seconds",
			"The longest call on the server, since the last reading and in the minutes before", "service", "method",
			"protocol", "status"),

	CLIENT_CALLS_BYTES("rpc.client.calls.bytes", COUNTER, "bytes",
			"Bytes of arguments and results of calls with a reply, on the client", "service", "method", "protocol",
			"direction"),

	SERVER_CALLS_BYTES("rpc.server.calls.bytes", COUNTER, "bytes",
			"Bytes of arguments and results of calls that ended, on the server", "service", "method", "protocol",
			"direction"),

	CLIENT_SERIALIZATION_FAILURES("rpc.client.serialization.failures", COUNTER, null,
			"Arguments that could not be serialized (write), replies that could not be deserialized (read)", "service",
			"method", "protocol", "direction"),

	SERVER_SERIALIZATION_FAILURES("rpc.server.serialization.failures", COUNTER, null,
			"Results that could not be serialized (write), arguments that could not be deserialized (read)", "service",
			"method", "protocol", "direction"),

	CLIENT_PENDING("rpc.client.calls.pending", GAUGE, "calls", "Calls of the client that wait for a reply"),

	CLIENT_QUEUED("rpc.client.calls.queued", GAUGE, "calls", "Calls that wait in the queue for a permit"),

	CLIENT_HELD("rpc.client.calls.held", GAUGE, "calls",
			"Calls that wait for an instance with a grant and a permit, or for its memory"),

	CLIENT_LOST_CALLS("rpc.client.calls.lost", COUNTER, null,
			"One-way calls that failed before the socket took them, or that a server of gRPC refused; the log has the reason"),

	CLIENT_RESENT("rpc.client.calls.resent", COUNTER, null,
			"Calls that were sent again, by reason: they were returned without execution, failed or were slow",
			"reason"),

	CLIENT_RETRIES_DENIED("rpc.client.retries.denied", COUNTER, null,
			"Failed calls of idempotent methods that were not retried, because the budget was exhausted"),

	CLIENT_RETRIES_LEFT("rpc.client.retries.left", GAUGE, "calls",
			"Retries that the budget of all references to a service allows now", "service"),

	CLIENT_EXPIRED("rpc.client.calls.expired", COUNTER, null, "Calls whose deadline passed before they were sent"),

	CLIENT_CANCELLED("rpc.client.calls.cancelled", COUNTER, null, "Calls that were cancelled before they were sent"),

	CLIENT_CONTRACTS_REFUSED("rpc.client.contracts.refused", COUNTER, null,
			"Services of which a server rejected all or some methods, once per connection"),

	CLIENT_CALLBACK_THREADS("rpc.client.callbacks.threads", GAUGE, "threads",
			"Maximum of threads of the callback pool"),

	CLIENT_CALLBACKS_BUSY("rpc.client.callbacks.busy", GAUGE, "threads",
			"Threads of the callback pool that complete a future"),

	CLIENT_CALLBACKS_WAITING("rpc.client.callbacks.waiting", GAUGE, "tasks",
			"Futures that wait for a thread of the callback pool"),

	CLIENT_INSTANCES("rpc.client.instances", GAUGE, "instances", "Known instances of references, by state", "service",
			"state"),

	CLIENT_STREAMS("rpc.client.streams", GAUGE, "streams", "Open streams of the client"),

	CLIENT_STREAMS_ELEMENTS("rpc.client.streams.elements", COUNTER, "elements",
			"Elements of streams that the client has sent or received", "service", "method", "protocol", "direction"),

	SERVER_STREAMS_ELEMENTS("rpc.server.streams.elements", COUNTER, "elements",
			"Elements of streams that the server has sent or received", "service", "method", "protocol", "direction"),

	CLIENT_STREAMS_FIRST("rpc.client.streams.first", TIMER, "seconds",
			"Time from the start of a call on the client until the first element of its result", "service", "method",
			"protocol"),

	SERVER_STREAMS_FIRST("rpc.server.streams.first", TIMER, "seconds",
			"Time from the decoding of a call on the server until the first element of its result", "service", "method",
			"protocol"),

	SERVER_IN_FLIGHT("rpc.server.calls.in.flight", GAUGE, "calls",
			"Calls that execute, wait for a thread, or have no written reply"),

	SERVER_STREAMS("rpc.server.streams", GAUGE, "streams",
			"Open streams: calls in flight with several requests or results"),

	SERVER_GRANTED_CALLS("rpc.server.grants.calls", GAUGE, "calls",
			"Calls that are granted to all connections together"),

	SERVER_GRANTED_BYTES("rpc.server.grants.bytes", GAUGE, "bytes",
			"Bytes of arguments that are granted to all connections together"),

	CLIENT_MEMORY_USED("rpc.client.memory.used", GAUGE, "bytes", "Bytes of arguments and replies on the client",
			"direction"),

	CLIENT_MEMORY_LIMIT("rpc.client.memory.limit", GAUGE, "bytes",
			"Limit of bytes of arguments and replies on the client"),

	CLIENT_MEMORY_WAITING("rpc.client.memory.waiting", GAUGE, "calls",
			"Calls whose arguments or replies wait for memory on the client"),

	SERVER_MEMORY_USED("rpc.server.memory.used", GAUGE, "bytes", "Bytes of arguments and results on the server",
			"direction"),

	SERVER_MEMORY_LIMIT("rpc.server.memory.limit", GAUGE, "bytes",
			"Limit of bytes of arguments and results on the server"),

	SERVER_MEMORY_WAITING("rpc.server.memory.waiting", GAUGE, "calls",
			"Calls that wait for memory on the server, for their arguments or their result"),

	SERVER_DROPPED_RESULTS("rpc.server.results.dropped", COUNTER, null,
			"Results that were dropped, because their caller no longer waited"),

	SERVER_DROPPED_CALLS("rpc.server.calls.dropped", COUNTER, null,
			"One-way calls that arrived and were not executed; the log has the reason"),

	SERVER_POOL_BUSY("rpc.server.pool.busy", GAUGE, "threads", "Threads of the pool that run a call"),

	SERVER_POOL_WAITING("rpc.server.pool.waiting", GAUGE, "calls", "Calls that wait for a thread of the pool"),

	SERVER_POOL_THREADS("rpc.server.pool.threads", GAUGE, "threads", "Maximum of threads of the pool"),

	SERVER_STARTED("rpc.server.started", TIMER, "seconds",
			"Wait of calls for a thread since their decoding: one call in 64, and the longest waiting call"),

	SERVER_EXPIRED("rpc.server.calls.expired", COUNTER, null,
			"Calls that were not executed, because their deadline had passed or was too near"),

	SERVER_CANCELLED("rpc.server.calls.cancelled", COUNTER, null,
			"Calls that were not executed, because they were cancelled or their connection had ended"),

	SERVER_CONTRACTS_REFUSED("rpc.server.contracts.refused", COUNTER, null,
			"Services of which all or some methods were rejected for a client, once per connection"),

	SERVER_REFUSED("rpc.server.callers.refused", COUNTER, null,
			"Refusals of callers when they bind a method or call it, and of their credentials", "status"),

	SERVER_CALLERS("rpc.server.connections.identified", COUNTER, null,
			"Connections whose client has proved a name; the names beyond 100 are added up as 'other'", "caller"),

	SERVER_ONLINE("rpc.server.online", GAUGE, null, "0 while an operator has taken the server out, else 1"),

	SERVER_AGED_CONNECTIONS("rpc.server.connections.aged", COUNTER, null,
			"Connections that were ended because of rpc.server.connection-max-age"),

	SERVER_CLEAR_TEXT_CONNECTIONS("rpc.server.connections.clear.text", COUNTER, null,
			"Connections in clear text to a port that also speaks TLS, by application of the client", "client"),

	SERVER_DRAINED_CALLS("rpc.server.calls.drained", COUNTER, null, "Calls that a shutdown waited for"),

	SERVER_CUT_CALLS("rpc.server.calls.cut", COUNTER, null,
			"Calls that had not ended within the grace period of a shutdown"),

	CLIENT_CERTIFICATE_EXPIRY("rpc.client.certificate.expiry", GAUGE, "days",
			"Time until the first certificate of the client's bundle expires; negative afterwards", "bundle"),

	SERVER_CERTIFICATE_EXPIRY("rpc.server.certificate.expiry", GAUGE, "days",
			"Time until the first certificate of the server's bundle expires; negative afterwards", "bundle"),

	REGISTRY_CONNECTED("rpc.registry.connected", GAUGE, null, "1 if the registry is reachable, else 0"),

	REGISTRY_OUTAGES("rpc.registry.outages", COUNTER, null, "Times that the registry became unreachable"),

	REGISTRY_SNAPSHOT_SERVICES("rpc.registry.snapshot.services", GAUGE, "services",
			"Services whose instances come from the snapshot, because the registry has not named any since the start"),

	CLIENT_CONNECTIONS("rpc.client.connections", GAUGE, "connections", "Connections of the client", "state"),

	SERVER_CONNECTIONS("rpc.server.connections", GAUGE, "connections", "Connections of the server", "state"),

	CLIENT_CONNECTS("rpc.client.connects", COUNTER, null, "Connects, successful with their handshake or failed",
			"outcome"),

	CLIENT_GO_AWAYS("rpc.client.goaways", COUNTER, null, "GO_AWAY frames received by the client"),

	SERVER_GO_AWAYS("rpc.server.goaways", COUNTER, null, "GO_AWAY frames sent by the server"),

	CLIENT_LOOPS("rpc.client.loops", GAUGE, "threads", "Event loops of the client"),

	SERVER_LOOPS("rpc.server.loops", GAUGE, "threads", "Event loops of the server"),

	CLIENT_LOOP_TASKS("rpc.client.loops.tasks", GAUGE, "tasks", "Tasks that wait in the event loops of the client"),

	SERVER_LOOP_TASKS("rpc.server.loops.tasks", GAUGE, "tasks", "Tasks that wait in the event loops of the server"),

	CLIENT_LOOPS_BUSY("rpc.client.loops.busy", COUNTER, "seconds", "Working time of all event loops of the client"),

	SERVER_LOOPS_BUSY("rpc.server.loops.busy", COUNTER, "seconds", "Working time of all event loops of the server"),

	CLIENT_WRITTEN("rpc.client.written", TIMER, "seconds",
			"Time from the start of a call until the socket took it: the oldest of a batch, for one frame in 64"),

	SERVER_WRITTEN("rpc.server.written", TIMER, "seconds",
			"Time from the result of a call until the socket took it, for one call in 64"),

	CLIENT_FLUSH_WAITS("rpc.client.flush.waits", COUNTER, null,
			"Decisions of batching AUTO on the client: to wait for a round of the event loop, to probe one, to flush at once",
			"decision"),

	SERVER_FLUSH_WAITS("rpc.server.flush.waits", COUNTER, null,
			"Decisions of batching AUTO on the server: to wait for a round of the event loop, to probe one, to flush at once",
			"decision"),

	ALLOCATOR_USED("rpc.allocator.used", GAUGE, "bytes",
			"Memory that the allocators of network buffers hold, including unused buffers", "memory"),

	CLIENT_FLUSH_MESSAGES("rpc.client.flush.messages", DISTRIBUTION_SUMMARY, "messages",
			"Frames in one flush of the client"),

	SERVER_FLUSH_MESSAGES("rpc.server.flush.messages", DISTRIBUTION_SUMMARY, "messages",
			"Frames in one flush of the server"),

	CLIENT_FLUSH_BYTES("rpc.client.flush.bytes", DISTRIBUTION_SUMMARY, "bytes", "Bytes in one flush of the client"),

	SERVER_FLUSH_BYTES("rpc.server.flush.bytes", DISTRIBUTION_SUMMARY, "bytes", "Bytes in one flush of the server"),

	CLIENT_FLUSHES("rpc.client.flushes", COUNTER, null, "Flushes of the client, by reason", "reason"),

	SERVER_FLUSHES("rpc.server.flushes", COUNTER, null, "Flushes of the server, by reason", "reason"),

	CLIENT_STALLS("rpc.client.stalls", COUNTER, null, "Flushes of the client after which the socket was full"),

	SERVER_STALLS("rpc.server.stalls", COUNTER, null, "Flushes of the server after which the socket was full");

	/** Tag of the service, {@code name[:version][@group]}. */
	public static final String TAG_SERVICE = "service";

	/**
	 * Tag of the application that a client reported, not verified; {@code other} after
	 * 100.
	 */
	public static final String TAG_CLIENT = "client";

	/** Tag of the SSL bundle, as of {@link io.rpcboot.transport.TlsOptions#name()}. */
	public static final String TAG_BUNDLE = "bundle";

	/** Tag of the method with its parameter types, for example {@code getUser(long)}. */
	public static final String TAG_METHOD = "method";

	/** Name of a protocol: native or grpc. */
	public static final String TAG_PROTOCOL = "protocol";

	/**
	 * Tag of the status, the name of an {@link io.rpcboot.RpcStatus}, for example {@code
	 * OK}.
	 */
	public static final String TAG_STATUS = "status";

	/**
	 * Tag of the class of an exception, for example {@code
	 * java.lang.NullPointerException}; {@code other} after 16 classes of a method.
	 */
	public static final String TAG_EXCEPTION = "exception";

	/**
	 * Tag of the reason. Of flushes the name of a
	 * {@link io.rpcboot.metrics.TransportRecorder.FlushReason} in lower case; of calls
	 * {@code
	 * refused}, {@code go_away}, {@code disconnected}, {@code failed} or {@code hedged}.
	 */
	public static final String TAG_REASON = "reason";

	/**
	 * Tag of the direction. Of memory {@code incoming} or {@code outgoing}; of bytes
	 * {@code argument} or {@code result}; of serialization {@code write} or {@code read}.
	 */
	public static final String TAG_DIRECTION = "direction";

	/**
	 * Tag of the state. Of a connection {@code opening}, {@code ready} or {@code
	 * leaving}; of an instance the name of its state in lower case, for example {@code
	 * backing_off}.
	 */
	public static final String TAG_STATE = "state";

	/** Tag of the outcome, {@code connected} or {@code failed}. */
	public static final String TAG_OUTCOME = "outcome";

	/** Tag of the decision, {@code wait}, {@code probe} or {@code go}. */
	public static final String TAG_DECISION = "decision";

	/** Tag with the name that a client has proved. */
	public static final String TAG_CALLER = "caller";

	/** Tag of the kind of memory, {@code heap} or {@code direct}. */
	public static final String TAG_MEMORY = "memory";

	/** Value of a tag that adds up further values beyond a maximum. */
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
	 * Returns the name in Micrometer's notation; a monitoring system may use another one.
	 * @return for example {@code rpc.client.calls}
	 */
	public String meterName() {
		return this.meterName;
	}

	/**
	 * Returns the type.
	 * @return the type
	 */
	public Meter.Type type() {
		return this.type;
	}

	/**
	 * Returns the unit. The registry decides how it shows the times of a timer.
	 * @return the unit, null for a plain number
	 */
	public @Nullable String baseUnit() {
		return this.baseUnit;
	}

	/**
	 * Returns the keys of the tags.
	 * @return in the order of declaration
	 */
	public List<String> tags() {
		return this.tags;
	}

	/**
	 * Returns the description, which Prometheus shows as {@code # HELP}.
	 * @return a phrase without a full stop
	 */
	public String description() {
		return this.description;
	}

}
