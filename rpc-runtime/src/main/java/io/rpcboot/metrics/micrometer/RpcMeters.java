package io.rpcboot.metrics.micrometer;

import java.util.List;

import io.micrometer.core.instrument.Meter;
import org.jspecify.annotations.Nullable;

/**
 * Every meter: its name, type, base unit and tags. Dashboards and alerts may rely on
 * them.
 */
public enum RpcMeters {

	/**
	 * How long calls took on the client, from their start until the caller goes on or,
	 * for a future, the reply was read.
	 */
	CLIENT_CALLS("rpc.client.calls", Meter.Type.TIMER, "seconds", List.of("service", "method", "status"),
			"Calls on the client, from their start until the caller goes on or the reply was read"),

	/** How long calls took on the server, from decoding to the answer. */
	SERVER_CALLS("rpc.server.calls", Meter.Type.TIMER, "seconds", List.of("service", "method", "status"),
			"Calls on the server, from decoding to the answer"),

	/**
	 * Exceptions that implementations threw and their interfaces do not declare, by
	 * class.
	 */
	SERVER_EXCEPTIONS("rpc.server.exceptions", Meter.Type.COUNTER, null, List.of("service", "method", "exception"),
			"Exceptions of implementations that their interfaces do not declare, by class"),

	/** The longest call on the client in the last minutes. */
	CLIENT_CALLS_MAX("rpc.client.calls.max", Meter.Type.GAUGE, "seconds", List.of("service", "method", "status"),
			"The longest call on the client in the last minutes"),

	/** The longest call on the server in the last minutes. */
	SERVER_CALLS_MAX("rpc.server.calls.max", Meter.Type.GAUGE, "seconds", List.of("service", "method", "status"),
			"The longest call on the server in the last minutes"),

	/** Calls that wait for a reply, over all clients. */
	CLIENT_PENDING("rpc.client.calls.pending", Meter.Type.GAUGE, "calls", List.of(), "Calls under way at the client"),

	/** Calls that wait in a queue for room among the pending ones, over all clients. */
	CLIENT_QUEUED("rpc.client.calls.queued", Meter.Type.GAUGE, "calls", List.of(),
			"Calls that wait in a queue for room among the pending ones"),

	/** Calls that wait for an instance with a grant and room, or for its memory. */
	CLIENT_HELD("rpc.client.calls.held", Meter.Type.GAUGE, "calls", List.of(),
			"Calls that wait for an instance with a grant and room, or for its memory"),

	/** One-way calls that failed before the socket had taken them. */
	CLIENT_LOST_CALLS("rpc.client.calls.lost", Meter.Type.COUNTER, null, List.of(),
			"One-way calls that failed before the socket had taken them"),

	/** Calls being executed or waiting for a thread, over all servers. */
	SERVER_IN_FLIGHT("rpc.server.calls.in.flight", Meter.Type.GAUGE, "calls", List.of(),
			"Calls that execute, wait for a thread, or are being answered"),

	/** Calls that all connections together may have under way, over all servers. */
	SERVER_GRANTED_CALLS("rpc.server.grants.calls", Meter.Type.GAUGE, "calls", List.of(),
			"Calls that all connections together may have under way"),

	/** Bytes that the arguments of these calls may take, over all servers. */
	SERVER_GRANTED_BYTES("rpc.server.grants.bytes", Meter.Type.GAUGE, "bytes", List.of(),
			"Bytes that the arguments of the granted calls may take"),

	/** Bytes that replies and arguments take, over all clients. */
	CLIENT_MEMORY_USED("rpc.client.memory.used", Meter.Type.GAUGE, "bytes", List.of("direction"),
			"Bytes that arguments and replies take on the client"),

	/** Most bytes that they may take, over all clients. */
	CLIENT_MEMORY_LIMIT("rpc.client.memory.limit", Meter.Type.GAUGE, "bytes", List.of(),
			"Most bytes that arguments and replies may take on the client"),

	/** Bytes that arguments and results take, over all servers. */
	SERVER_MEMORY_USED("rpc.server.memory.used", Meter.Type.GAUGE, "bytes", List.of("direction"),
			"Bytes that arguments and results take on the server"),

	/** Most bytes that they may take, over all servers. */
	SERVER_MEMORY_LIMIT("rpc.server.memory.limit", Meter.Type.GAUGE, "bytes", List.of(),
			"Most bytes that arguments and results may take on the server"),

	/** Results that were dropped because their caller waited for them no longer. */
	SERVER_DROPPED_RESULTS("rpc.server.results.dropped", Meter.Type.COUNTER, null, List.of(),
			"Results that were dropped because their caller waited for them no longer"),

	/** One-way calls that arrived and did not begin. */
	SERVER_DROPPED_CALLS("rpc.server.calls.dropped", Meter.Type.COUNTER, null, List.of(),
			"One-way calls that arrived and did not begin"),

	/** Threads of the pool that run a call, over all servers. */
	SERVER_POOL_BUSY("rpc.server.pool.busy", Meter.Type.GAUGE, "threads", List.of(),
			"Threads of the pool that run a call"),

	/** Calls that wait for a thread of the pool, over all servers. */
	SERVER_POOL_WAITING("rpc.server.pool.waiting", Meter.Type.GAUGE, "calls", List.of(),
			"Calls that wait for a thread of the pool"),

	/** Connections that are open on the client, handshake done. */
	CLIENT_CONNECTIONS("rpc.client.connections", Meter.Type.GAUGE, "connections", List.of(),
			"Connections that are open on the client, handshake done"),

	/** Connections that are open on the server, handshake done. */
	SERVER_CONNECTIONS("rpc.server.connections", Meter.Type.GAUGE, "connections", List.of(),
			"Connections that are open on the server, handshake done"),

	/** Frames that left the client in one flush. */
	CLIENT_FLUSH_MESSAGES("rpc.client.flush.messages", Meter.Type.DISTRIBUTION_SUMMARY, "messages", List.of(),
			"Frames that left the client in one flush"),

	/** Frames that left the server in one flush. */
	SERVER_FLUSH_MESSAGES("rpc.server.flush.messages", Meter.Type.DISTRIBUTION_SUMMARY, "messages", List.of(),
			"Frames that left the server in one flush"),

	/** Bytes that left the client in one flush. */
	CLIENT_FLUSH_BYTES("rpc.client.flush.bytes", Meter.Type.DISTRIBUTION_SUMMARY, "bytes", List.of(),
			"Bytes that left the client in one flush"),

	/** Bytes that left the server in one flush. */
	SERVER_FLUSH_BYTES("rpc.server.flush.bytes", Meter.Type.DISTRIBUTION_SUMMARY, "bytes", List.of(),
			"Bytes that left the server in one flush"),

	/** Flushes of the client, by what caused them. */
	CLIENT_FLUSHES("rpc.client.flushes", Meter.Type.COUNTER, null, List.of("reason"),
			"Flushes of the client, by what caused them"),

	/** Flushes of the server, by what caused them. */
	SERVER_FLUSHES("rpc.server.flushes", Meter.Type.COUNTER, null, List.of("reason"),
			"Flushes of the server, by what caused them"),

	/** Flushes of the client after which the socket took no more. */
	CLIENT_STALLS("rpc.client.stalls", Meter.Type.COUNTER, null, List.of(),
			"Flushes of the client after which the socket took no more"),

	/** Flushes of the server after which the socket took no more. */
	SERVER_STALLS("rpc.server.stalls", Meter.Type.COUNTER, null, List.of(),
			"Flushes of the server after which the socket took no more");

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
	 * Tag: the name of a {@link io.rpcboot.metrics.TransportRecorder.FlushReason} in
	 * lower case.
	 */
	public static final String TAG_REASON = "reason";

	/** Tag: {@code incoming} for what peers send, {@code outgoing} for what they get. */
	public static final String TAG_DIRECTION = "direction";

	private final String meterName;

	private final Meter.Type type;

	private final @Nullable String baseUnit;

	private final List<String> tags;

	private final String description;

	RpcMeters(String meterName, Meter.Type type, @Nullable String baseUnit, List<String> tags, String description) {
		this.meterName = meterName;
		this.type = type;
		this.baseUnit = baseUnit;
		this.tags = tags;
		this.description = description;
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
