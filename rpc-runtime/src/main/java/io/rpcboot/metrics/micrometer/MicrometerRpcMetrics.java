package io.rpcboot.metrics.micrometer;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;

/**
 * Reports to Micrometer, with the meters of {@link RpcMeters}. One object serves any
 * number of clients and servers; their numbers are added. Two objects must not report to
 * one registry: its gauges would show those of the first. Thread-safe.
 */
public final class MicrometerRpcMetrics implements RpcMetrics {

	private final MeterRegistry registry;

	private final Map<Calls, CallRecorder> calls = new ConcurrentHashMap<>();

	private final Map<Level, Sum> levels = new EnumMap<>(Level.class);

	private final Map<Side, TransportRecorder> transports = new EnumMap<>(Side.class);

	/**
	 * Report to a registry. The meters of a side appear in it with the first client or
	 * server, those of calls with their method.
	 * @param registry the registry
	 */
	public MicrometerRpcMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		boolean ofClient = side == Side.CLIENT;
		return this.calls.computeIfAbsent(new Calls(side, method.service().toString(), method.signature()),
				(key) -> new MicrometerCallRecorder(this.registry,
						ofClient ? RpcMeters.CLIENT_CALLS : RpcMeters.SERVER_CALLS,
						ofClient ? RpcMeters.CLIENT_CALLS_MAX : RpcMeters.SERVER_CALLS_MAX, method));
	}

	@Override
	public synchronized TransportRecorder transport(Side side) {
		return this.transports.computeIfAbsent(side, this::newTransport);
	}

	private TransportRecorder newTransport(Side side) {
		return switch (side) {
			case CLIENT -> new MicrometerTransportRecorder(this.registry, RpcMeters.CLIENT_CONNECTIONS,
					RpcMeters.CLIENT_FLUSH_MESSAGES, RpcMeters.CLIENT_FLUSH_BYTES, RpcMeters.CLIENT_FLUSHES,
					RpcMeters.CLIENT_STALLS);
			case SERVER -> new MicrometerTransportRecorder(this.registry, RpcMeters.SERVER_CONNECTIONS,
					RpcMeters.SERVER_FLUSH_MESSAGES, RpcMeters.SERVER_FLUSH_BYTES, RpcMeters.SERVER_FLUSHES,
					RpcMeters.SERVER_STALLS);
		};
	}

	@Override
	public synchronized AutoCloseable level(Level level, LongSupplier value) {
		return this.levels.computeIfAbsent(level, (first) -> register(meterOf(first), directionOf(first))).add(value);
	}

	private static RpcMeters meterOf(Level level) {
		return switch (level) {
			case PENDING -> RpcMeters.CLIENT_PENDING;
			case QUEUED -> RpcMeters.CLIENT_QUEUED;
			case HELD -> RpcMeters.CLIENT_HELD;
			case LOST_CALLS -> RpcMeters.CLIENT_LOST_CALLS;
			case IN_FLIGHT -> RpcMeters.SERVER_IN_FLIGHT;
			case GRANTED_CALLS -> RpcMeters.SERVER_GRANTED_CALLS;
			case GRANTED_BYTES -> RpcMeters.SERVER_GRANTED_BYTES;
			case CLIENT_MEMORY_INCOMING, CLIENT_MEMORY_OUTGOING -> RpcMeters.CLIENT_MEMORY_USED;
			case CLIENT_MEMORY_LIMIT -> RpcMeters.CLIENT_MEMORY_LIMIT;
			case SERVER_MEMORY_INCOMING, SERVER_MEMORY_OUTGOING -> RpcMeters.SERVER_MEMORY_USED;
			case SERVER_MEMORY_LIMIT -> RpcMeters.SERVER_MEMORY_LIMIT;
			case DROPPED_RESULTS -> RpcMeters.SERVER_DROPPED_RESULTS;
			case DROPPED_CALLS -> RpcMeters.SERVER_DROPPED_CALLS;
			case POOL_BUSY -> RpcMeters.SERVER_POOL_BUSY;
			case POOL_WAITING -> RpcMeters.SERVER_POOL_WAITING;
		};
	}

	private static Tags directionOf(Level level) {
		return switch (level) {
			case CLIENT_MEMORY_INCOMING, SERVER_MEMORY_INCOMING -> Tags.of(RpcMeters.TAG_DIRECTION, "incoming");
			case CLIENT_MEMORY_OUTGOING, SERVER_MEMORY_OUTGOING -> Tags.of(RpcMeters.TAG_DIRECTION, "outgoing");
			default -> Tags.empty();
		};
	}

	private Sum register(RpcMeters meter, Tags tags) {
		boolean onlyRises = meter.type() == Meter.Type.COUNTER;
		Sum sum = new Sum(onlyRises);
		if (onlyRises) {
			FunctionCounter.builder(meter.meterName(), sum, Sum::value)
				.description(meter.description())
				.tags(tags)
				.register(this.registry);
			return sum;
		}
		Gauge.builder(meter.meterName(), sum, Sum::value)
			.description(meter.description())
			.tags(tags)
			.baseUnit(meter.baseUnit())
			.strongReference(true)
			.register(this.registry);
		return sum;
	}

	/** What has meters of its own. */
	private record Calls(Side side, String service, String method) {
	}

	/** The numbers of several clients or servers under one gauge or counter. */
	private static final class Sum {

		private final Set<Part> parts = new HashSet<>();

		private final boolean onlyRises;

		/** What parts had counted when they were taken back; 0 unless it only rises. */
		private long ended;

		Sum(boolean onlyRises) {
			this.onlyRises = onlyRises;
		}

		synchronized AutoCloseable add(LongSupplier value) {
			Part part = new Part(value);
			this.parts.add(part);
			return () -> remove(part);
		}

		private synchronized void remove(Part part) {
			if (this.parts.remove(part) && this.onlyRises) {
				this.ended += part.value.getAsLong();
			}
		}

		synchronized double value() {
			return this.ended + this.parts.stream().mapToLong((part) -> part.value.getAsLong()).sum();
		}

	}

	/** Two equal suppliers are two parts. */
	private static final class Part {

		private final LongSupplier value;

		Part(LongSupplier value) {
			this.value = value;
		}

	}

}
