package io.rpcboot.metrics.micrometer;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.Side;
import io.rpcboot.metrics.TransportRecorder;
import org.jspecify.annotations.Nullable;

/** Connects, flushes and waits of one side. Any thread. */
final class MicrometerTransportRecorder implements TransportRecorder {

	/** Maximum of callers with a counter of their own. */
	private static final int MAX_CALLERS = 100;

	private final Meters meters;

	/** Connections by the name of the caller. */
	private final Map<String, LongAdder> callers = new HashMap<>();

	private final @Nullable LongAdder connected;

	private final @Nullable LongAdder failed;

	private final Samples written;

	private final Samples messages;

	private final Samples bytes;

	private final Map<FlushReason, LongAdder> flushes = new EnumMap<>(FlushReason.class);

	private final LongAdder stalls;

	/** Null on the client. */
	private final @Nullable Samples started;

	MicrometerTransportRecorder(Meters meters, Side side) {
		this.meters = meters;
		boolean client = side == Side.CLIENT;
		this.connected = client ? meters.counter(RpcMeters.CLIENT_CONNECTS, RpcMeters.TAG_OUTCOME, "connected") : null;
		this.failed = client ? meters.counter(RpcMeters.CLIENT_CONNECTS, RpcMeters.TAG_OUTCOME, "failed") : null;
		this.written = meters.timer(client ? RpcMeters.CLIENT_WRITTEN : RpcMeters.SERVER_WRITTEN);
		this.messages = meters.summary(client ? RpcMeters.CLIENT_FLUSH_MESSAGES : RpcMeters.SERVER_FLUSH_MESSAGES);
		this.bytes = meters.summary(client ? RpcMeters.CLIENT_FLUSH_BYTES : RpcMeters.SERVER_FLUSH_BYTES);
		this.stalls = meters.counter(client ? RpcMeters.CLIENT_STALLS : RpcMeters.SERVER_STALLS);
		this.started = client ? null : meters.timer(RpcMeters.SERVER_STARTED);
		for (FlushReason reason : FlushReason.values()) {
			this.flushes.put(reason, meters.counter(client ? RpcMeters.CLIENT_FLUSHES : RpcMeters.SERVER_FLUSHES,
					RpcMeters.TAG_REASON, reason.name().toLowerCase(Locale.ROOT)));
		}
	}

	@Override
	public void connectionOpened(String remote, String application, long nanos) {
		if (this.connected != null) {
			this.connected.increment();
		}
	}

	@Override
	public void connectionIdentified(String caller) {
		synchronized (this.callers) {
			boolean isOwn = this.callers.containsKey(caller) || this.callers.size() < MAX_CALLERS;
			this.callers
				.computeIfAbsent(isOwn ? caller : RpcMeters.OTHER,
						(name) -> this.meters.counter(RpcMeters.SERVER_CALLERS, RpcMeters.TAG_CALLER, name))
				.increment();
		}
	}

	@Override
	public void connectFailed(String remote, String why, long nanos) {
		if (this.failed != null) {
			this.failed.increment();
		}
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
	public void written(long nanos) {
		this.written.add(nanos);
	}

	@Override
	public void stalled() {
		this.stalls.increment();
	}

	@Override
	public void started(long nanos) {
		if (this.started != null) {
			this.started.add(nanos);
		}
	}

}
