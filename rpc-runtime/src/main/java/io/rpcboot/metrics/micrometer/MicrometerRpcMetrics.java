package io.rpcboot.metrics.micrometer;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.SharedGauge;
import io.rpcboot.metrics.TransportRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to Micrometer, with the meters of {@link RpcMeters}. One object serves any
 * number of clients and servers, and their numbers are added up. Two objects must not
 * report to one registry, because its gauges would show the first one only. Thread-safe.
 * <pre>{@code
 * RpcMetrics metrics = new MicrometerRpcMetrics(meterRegistry);
 * RpcClient.builder().metrics(metrics)
 * }</pre>
 *
 * @since 0.1.0
 */
public final class MicrometerRpcMetrics implements RpcMetrics {

	/** Default maximum of methods with own meters. */
	public static final int DEFAULT_MAX_METHODS = 2_000;

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final Meters meters;

	private final int maxMethods;

	private final Map<Calls, Map<String, CallRecorder>> calls = new HashMap<>();

	private final Map<Subject, SharedGauge> levels = new HashMap<>();

	private final Set<String> subjects = new HashSet<>();

	private final Map<Side, TransportRecorder> transports = new EnumMap<>(Side.class);

	private boolean hasWarned;

	/**
	 * Creates metrics for a registry. The meters of a side appear with the first client
	 * or server, the meters of calls with their method.
	 * @param registry the registry
	 */
	public MicrometerRpcMetrics(MeterRegistry registry) {
		this(registry, DEFAULT_MAX_METHODS);
	}

	/**
	 * Creates metrics for a registry.
	 * @param registry the registry
	 * @param maxMethods maximum of methods of client and server with own meters, 1 or
	 * more. Further methods are added up with service and method
	 * {@value RpcMeters#OTHER}, and a line is logged. The same maximum holds for services
	 * that are subjects of gauges
	 * @throws RpcConfigurationException if it is less than 1
	 */
	public MicrometerRpcMetrics(MeterRegistry registry, int maxMethods) {
		if (maxMethods < 1) {
			throw new RpcConfigurationException("max-methods: %d (expected: 1 or more)".formatted(maxMethods),
					"Correct the number.");
		}
		this.meters = new Meters(registry);
		this.maxMethods = maxMethods;
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return calls(side, method, MicrometerCallRecorder.NATIVE);
	}

	@Override
	public synchronized CallRecorder calls(Side side, MethodDescriptor method, String protocol) {
		Calls key = new Calls(side, method.service().toString(), method.signature());
		if (this.calls.size() >= this.maxMethods && !this.calls.containsKey(key)) {
			warn();
			key = new Calls(side, RpcMeters.OTHER, RpcMeters.OTHER);
		}
		Calls of = key;
		return this.calls.computeIfAbsent(of, (each) -> new HashMap<>())
			.computeIfAbsent(protocol,
					(each) -> new MicrometerCallRecorder(this.meters, of.side(), of.service(), of.method(), each));
	}

	/** Logs once that further methods or services are added up. */
	private void warn() {
		if (!this.hasWarned) {
			this.hasWarned = true;
			logger.warn("max-methods: {} methods or services have meters of their own; those of further ones are"
					+ " added up as '{}'. Raise it if the monitoring system takes them: each method is at least"
					+ " five series of numbers", this.maxMethods, RpcMeters.OTHER);
		}
	}

	@Override
	public synchronized TransportRecorder transport(Side side) {
		return this.transports.computeIfAbsent(side, (of) -> new MicrometerTransportRecorder(this.meters, of));
	}

	@Override
	public synchronized AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return this.levels.computeIfAbsent(new Subject(level, bounded(subject)), this::register).add(value);
	}

	private String bounded(String subject) {
		if (this.subjects.contains(subject) || this.subjects.size() < this.maxMethods) {
			this.subjects.add(subject);
			return subject;
		}
		warn();
		return RpcMeters.OTHER;
	}

	private SharedGauge register(Subject subject) {
		GaugeMeter shown = GaugeMeter.of(subject.level());
		RpcMeters meter = shown.meter();
		Tags tags = shown.tags(subject.name());
		boolean onlyRises = meter.type() == Meter.Type.COUNTER;
		SharedGauge shared = new SharedGauge(onlyRises);
		ToDoubleFunction<SharedGauge> value = shown.isLeast()
				? (level) -> level.isKnown() ? shown.scale() * level.least() : Double.NaN
				: (level) -> shown.scale() * level.sum();
		return onlyRises ? this.meters.counter(meter, tags, shared, value)
				: this.meters.gauge(meter, tags, shared, value);
	}

	/** Key of the recorders of a method. */
	private record Calls(Side side, String service, String method) {
	}

	/** Key of a gauge. */
	private record Subject(Gauge level, String name) {
	}

}
