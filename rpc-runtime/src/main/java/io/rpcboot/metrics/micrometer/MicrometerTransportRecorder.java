package io.rpcboot.metrics.micrometer;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import io.rpcboot.metrics.TransportRecorder;

/** Connections and flushes of one side. */
final class MicrometerTransportRecorder implements TransportRecorder {

	private final AtomicLong connections = new AtomicLong();

	private final DistributionSummary messages;

	private final DistributionSummary bytes;

	private final Map<FlushReason, Counter> flushes = new EnumMap<>(FlushReason.class);

	private final Counter stalls;

	MicrometerTransportRecorder(MeterRegistry registry, RpcMeters connections, RpcMeters messages, RpcMeters bytes,
			RpcMeters flushes, RpcMeters stalls) {
		Gauge.builder(connections.meterName(), this.connections, AtomicLong::get)
			.description(connections.description())
			.baseUnit(connections.baseUnit())
			.strongReference(true)
			.register(registry);
		this.messages = summary(registry, messages);
		this.bytes = summary(registry, bytes);
		this.stalls = Counter.builder(stalls.meterName()).description(stalls.description()).register(registry);
		for (FlushReason reason : FlushReason.values()) {
			this.flushes.put(reason,
					Counter.builder(flushes.meterName())
						.description(flushes.description())
						.tag(RpcMeters.TAG_REASON, reason.name().toLowerCase(Locale.ROOT))
						.register(registry));
		}
	}

	@Override
	public void connectionOpened() {
		this.connections.incrementAndGet();
	}

	@Override
	public void connectionClosed() {
		this.connections.decrementAndGet();
	}

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		this.messages.record(messages);
		this.bytes.record(bytes);
		Counter counter = this.flushes.get(reason);
		if (counter != null) {
			counter.increment();
		}
	}

	@Override
	public void stalled() {
		this.stalls.increment();
	}

	private static DistributionSummary summary(MeterRegistry registry, RpcMeters meter) {
		return DistributionSummary.builder(meter.meterName())
			.description(meter.description())
			.baseUnit(meter.baseUnit())
			.register(registry);
	}

}
