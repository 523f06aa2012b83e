package io.rpcboot.metrics.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Registers meters. If the registry throws, one line is logged and its numbers are
 * missing; calls are not affected. If a filter of the registry maps several meters to
 * one, their numbers are added up. Thread-safe.
 */
final class Meters {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final MeterRegistry registry;

	/** Source of each meter, by its name and tags after the filters. */
	private final Map<Meter.Id, Object> shown = new ConcurrentHashMap<>();

	private final AtomicBoolean hasFailed = new AtomicBoolean();

	Meters(MeterRegistry registry) {
		this.registry = registry;
	}

	/** Returns a counter that is shown as a meter. */
	LongAdder counter(RpcMeters meter, String... tags) {
		return counter(meter, Tags.of(tags), new LongAdder(), LongAdder::sum);
	}

	/**
	 * Registers a counter. Returns its source, which is another one if they share a
	 * meter.
	 */
	<T> T counter(RpcMeters meter, Tags tags, T counted, ToDoubleFunction<T> count) {
		return share(register(() -> FunctionCounter.builder(meter.meterName(), counted, count)
			.description(meter.description())
			.baseUnit(meter.baseUnit())
			.tags(tags)
			.register(this.registry)), counted);
	}

	/**
	 * Registers a gauge. Returns its source, which is another one if they share a meter.
	 */
	<T> T gauge(RpcMeters meter, Tags tags, T counted, ToDoubleFunction<T> value) {
		return share(register(() -> Gauge.builder(meter.meterName(), counted, value)
			.description(meter.description())
			.baseUnit(meter.baseUnit())
			.tags(tags)
			.strongReference(true)
			.register(this.registry)), counted);
	}

	/** Returns a distribution summary. */
	Samples summary(RpcMeters meter, String... tags) {
		DistributionSummary summary = register(() -> DistributionSummary.builder(meter.meterName())
			.description(meter.description())
			.baseUnit(meter.baseUnit())
			.tags(tags)
			.register(this.registry));
		return new Samples(this, summary, null);
	}

	/** Returns a timer for nanoseconds. */
	Samples timer(RpcMeters meter, String... tags) {
		return timed(meter, Tags.of(tags));
	}

	/** Returns a timer for nanoseconds. */
	Samples timed(RpcMeters meter, Tags tags) {
		Timer timer = register(() -> timer(meter, tags).register(this.registry));
		return new Samples(this, null, timer);
	}

	private static Timer.Builder timer(RpcMeters meter, Tags tags) {
		return Timer.builder(meter.meterName()).description(meter.description()).tags(tags);
	}

	/**
	 * Returns the durations of calls. A timer would read the clock and change three
	 * numbers for each call; the returned object adds a batch at once. It is backed by a
	 * timer only if the registry publishes a histogram or percentiles of the meter.
	 */
	synchronized CallTimes times(RpcMeters meter, RpcMeters max, Tags tags) {
		CallTimes own = new CallTimes(this.registry.config().clock());
		Timer timer = register(() -> timerOrNothing(timer(meter, tags)));
		if (timer != null && Boolean.TRUE.equals(register(() -> publishesMore(this.registry, timer(meter, tags))))) {
			own.each(new Samples(this, null, timer));
			return own;
		}
		CallTimes times = share(register(() -> {
			if (timer != null) {
				this.registry.remove(timer);
			}
			return FunctionTimer.builder(meter.meterName(), own, CallTimes::count, CallTimes::totalNanos, NANOSECONDS)
				.description(meter.description())
				.tags(tags)
				.register(this.registry);
		}), own);
		if (times == own) {
			register(() -> TimeGauge.builder(max.meterName(), own, NANOSECONDS, CallTimes::maxNanos)
				.description(max.description())
				.tags(tags)
				.strongReference(true)
				.register(this.registry));
		}
		return times;
	}

	/** Returns null if a filter maps the timer to a meter of another type. */
	private @Nullable Timer timerOrNothing(Timer.Builder timer) {
		try {
			return timer.register(this.registry);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static boolean publishesMore(MeterRegistry registry, Timer.Builder timer) {
		if (registry instanceof CompositeMeterRegistry several) {
			return several.getRegistries().stream().anyMatch((each) -> publishesMore(each, timer));
		}
		var snapshot = timer.register(registry).takeSnapshot();
		return snapshot.histogramCounts().length > 0 || snapshot.percentileValues().length > 0;
	}

	private <T> @Nullable T register(Supplier<@Nullable T> meter) {
		try {
			return meter.get();
		}
		catch (RuntimeException | LinkageError ex) {
			failed(ex);
			return null;
		}
	}

	@SuppressWarnings("unchecked")
	private <T> T share(@Nullable Meter meter, T own) {
		Object first = (meter != null) ? this.shown.putIfAbsent(meter.getId(), own) : null;
		return (first != null && first.getClass() == own.getClass()) ? (T) first : own;
	}

	/** Called if the registry threw. */
	void failed(Throwable ex) {
		if (this.hasFailed.compareAndSet(false, true)) {
			logger
				.warn("Meter registry {} failed; calls are not affected, meters may be missing or too low from now on,"
						+ " without another line", this.registry.getClass().getName(), ex);
		}
	}

}
