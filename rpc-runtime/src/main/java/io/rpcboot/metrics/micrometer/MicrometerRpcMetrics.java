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
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.SharedGauge;
import io.rpcboot.metrics.TransportRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to Micrometer, with the meters of {@link RpcMeters}. One object serves any
 * number of clients and servers; their numbers are added. Two objects must not report to
 * one registry: its gauges would show those of the first. Thread-safe.
 */
public final class MicrometerRpcMetrics implements RpcMetrics {

	/** Methods with meters of their own, unless it is said otherwise. */
	public static final int DEFAULT_MAX_METHODS = 2_000;

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final Meters meters;

	private final int maxMethods;

	private final Map<Calls, CallRecorder> calls = new HashMap<>();

	private final Map<Subject, SharedGauge> levels = new HashMap<>();

	private final Set<String> subjects = new HashSet<>();

	private final Map<Side, TransportRecorder> transports = new EnumMap<>(Side.class);

	private boolean hasWarned;

	/**
	 * Report to a registry. The meters of a side appear in it with the first client or
	 * server, those of calls with their method.
	 * @param registry the registry
	 */
	public MicrometerRpcMetrics(MeterRegistry registry) {
		this(registry, DEFAULT_MAX_METHODS);
	}

	/**
	 * Report to a registry.
	 * @param registry the registry
	 * @param maxMethods how many methods have meters of their own, client and server
	 * added, 1 or more; a line of the log tells when there are more, and they are added
	 * up with service and method {@value RpcMeters#OTHER}. The same bound holds for the
	 * services that a level is about
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
	public synchronized CallRecorder calls(Side side, MethodDescriptor method) {
		Calls key = new Calls(side, method.service().toString(), method.signature());
		if (this.calls.size() >= this.maxMethods && !this.calls.containsKey(key)) {
			warn();
			key = new Calls(side, RpcMeters.OTHER, RpcMeters.OTHER);
		}
		return this.calls.computeIfAbsent(key,
				(of) -> new MicrometerCallRecorder(this.meters, of.side(), of.service(), of.method()));
	}

	/** More values of a tag are not wanted. */
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
		ToDoubleFunction<SharedGauge> value = (level) -> shown.scale() * level.sum();
		return onlyRises ? this.meters.counter(meter, tags, shared, value)
				: this.meters.gauge(meter, tags, shared, value);
	}

	/** What has meters of its own. */
	private record Calls(Side side, String service, String method) {
	}

	/** What is added to one number. */
	private record Subject(Gauge level, String name) {
	}

}
