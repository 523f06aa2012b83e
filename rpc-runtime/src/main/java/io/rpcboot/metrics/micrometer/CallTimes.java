package io.rpcboot.metrics.micrometer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import org.jspecify.annotations.Nullable;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;

/**
 * Number, sum and maximum of the times of calls. A timer would read the clock and change
 * three numbers for each call; here a batch is added at once. Only where the registry was
 * told to publish a histogram or percentiles of the meter, it is a timer and records each
 * call.
 */
final class CallTimes {

	private static final long MAX_WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(1);

	private static final int MAX_WINDOWS = 3;

	private final LongAdder calls = new LongAdder();

	private final LongAdder totalNanos = new LongAdder();

	private final TimeWindowMax max;

	private @Nullable Timer timer;

	private CallTimes(MeterRegistry registry) {
		this.max = new TimeWindowMax(registry.config().clock(), MAX_WINDOW_MILLIS, MAX_WINDOWS);
	}

	static CallTimes register(MeterRegistry registry, RpcMeters meter, RpcMeters max, MethodDescriptor method,
			RpcStatus status) {
		Tags tags = Tags.of(RpcMeters.TAG_SERVICE, method.service().toString(), RpcMeters.TAG_METHOD,
				method.signature(), RpcMeters.TAG_STATUS, status.name());
		CallTimes times = new CallTimes(registry);
		Timer timer = Timer.builder(meter.meterName()).description(meter.description()).tags(tags).register(registry);
		if (publishesMore(timer)) {
			times.timer = timer;
			return times;
		}
		registry.remove(timer);
		FunctionTimer
			.builder(meter.meterName(), times, (all) -> all.calls.sum(), (all) -> all.totalNanos.sum(),
					TimeUnit.NANOSECONDS)
			.description(meter.description())
			.tags(tags)
			.register(registry);
		TimeGauge.builder(max.meterName(), times, TimeUnit.NANOSECONDS, (all) -> all.max.poll())
			.description(max.description())
			.tags(tags)
			.strongReference(true)
			.register(registry);
		return times;
	}

	private static boolean publishesMore(Timer timer) {
		HistogramSnapshot snapshot = timer.takeSnapshot();
		return snapshot.histogramCounts().length > 0 || snapshot.percentileValues().length > 0;
	}

	void record(int count, long total, long longest) {
		if (this.timer == null) {
			this.calls.add(count);
			this.totalNanos.add(total);
			this.max.record(longest);
			return;
		}
		this.timer.record(total, TimeUnit.NANOSECONDS);
	}

	/** Then it is told of one call at a time. */
	boolean needsEach() {
		return this.timer != null;
	}

}
