package io.rpcboot.metrics.micrometer;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

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

	private final Sum pending = new Sum();

	private final Sum inFlight = new Sum();

	private final TransportRecorder client;

	private final TransportRecorder server;

	/**
	 * Report to a registry. All meters but those of calls, which come with their method,
	 * appear in it at once.
	 * @param registry the registry
	 */
	public MicrometerRpcMetrics(MeterRegistry registry) {
		this.registry = registry;
		gauge(RpcMeters.CLIENT_PENDING, this.pending);
		gauge(RpcMeters.SERVER_IN_FLIGHT, this.inFlight);
		this.client = new MicrometerTransportRecorder(registry, RpcMeters.CLIENT_CONNECTIONS,
				RpcMeters.CLIENT_FLUSH_MESSAGES, RpcMeters.CLIENT_FLUSH_BYTES, RpcMeters.CLIENT_FLUSHES);
		this.server = new MicrometerTransportRecorder(registry, RpcMeters.SERVER_CONNECTIONS,
				RpcMeters.SERVER_FLUSH_MESSAGES, RpcMeters.SERVER_FLUSH_BYTES, RpcMeters.SERVER_FLUSHES);
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
	public TransportRecorder transport(Side side) {
		return (side == Side.CLIENT) ? this.client : this.server;
	}

	@Override
	public AutoCloseable level(Level level, LongSupplier value) {
		return ((level == Level.PENDING) ? this.pending : this.inFlight).add(value);
	}

	private void gauge(RpcMeters meter, Sum sum) {
		Gauge.builder(meter.meterName(), sum, Sum::value)
			.baseUnit(meter.baseUnit())
			.strongReference(true)
			.register(this.registry);
	}

	/** What has meters of its own. */
	private record Calls(Side side, String service, String method) {
	}

	/** The numbers of several clients or servers under one gauge. */
	private static final class Sum {

		private final Set<Part> parts = ConcurrentHashMap.newKeySet();

		AutoCloseable add(LongSupplier value) {
			Part part = new Part(value);
			this.parts.add(part);
			return () -> this.parts.remove(part);
		}

		double value() {
			return this.parts.stream().mapToLong((part) -> part.value.getAsLong()).sum();
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
