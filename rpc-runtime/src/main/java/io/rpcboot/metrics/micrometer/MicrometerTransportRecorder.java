package io.rpcboot.metrics.micrometer;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.Tags;

import io.rpcboot.metrics.RpcMetrics.Side;
import io.rpcboot.metrics.TransportRecorder;

/** Connections and flushes of one side. */
final class MicrometerTransportRecorder implements TransportRecorder {

	private final AtomicLong connections;

	private final Samples messages;

	private final Samples bytes;

	private final Map<FlushReason, LongAdder> flushes = new EnumMap<>(FlushReason.class);

	private final LongAdder stalls;

	MicrometerTransportRecorder(Meters meters, Side side) {
		boolean client = side == Side.CLIENT;
		this.connections = meters.gauge(client ? RpcMeters.CLIENT_CONNECTIONS : RpcMeters.SERVER_CONNECTIONS,
				Tags.empty(), new AtomicLong(), AtomicLong::get);
		this.messages = meters.summary(client ? RpcMeters.CLIENT_FLUSH_MESSAGES : RpcMeters.SERVER_FLUSH_MESSAGES);
		this.bytes = meters.summary(client ? RpcMeters.CLIENT_FLUSH_BYTES : RpcMeters.SERVER_FLUSH_BYTES);
		this.stalls = meters.counter(client ? RpcMeters.CLIENT_STALLS : RpcMeters.SERVER_STALLS);
		for (FlushReason reason : FlushReason.values()) {
			this.flushes.put(reason, meters.counter(client ? RpcMeters.CLIENT_FLUSHES : RpcMeters.SERVER_FLUSHES,
					RpcMeters.TAG_REASON, reason.name().toLowerCase(Locale.ROOT)));
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
		this.messages.add(messages);
		this.bytes.add(bytes);
		LongAdder counter = this.flushes.get(reason);
		if (counter != null) {
			counter.increment();
		}
	}

	@Override
	public void stalled() {
		this.stalls.increment();
	}

}
