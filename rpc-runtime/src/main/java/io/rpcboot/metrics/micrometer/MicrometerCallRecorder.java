package io.rpcboot.metrics.micrometer;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.Tags;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Durations and bytes of the calls of one method over one protocol, by status. The meter
 * of OK exists from the start, the meter of another status from its first call on,
 * because each meter is exported forever. A server offers every method over gRPC, too, so
 * those meters exist from the first call on. Any thread.
 */
final class MicrometerCallRecorder implements CallRecorder {

	/** Protocol over which methods are offered first of all. */
	static final String NATIVE = "native";

	private final Meters meters;

	private final boolean client;

	private final Tags tags;

	private final AtomicReferenceArray<CallTimes> times = new AtomicReferenceArray<>(RpcStatus.values().length);

	private volatile LongAdder argumentBytes = new LongAdder();

	private volatile LongAdder resultBytes = new LongAdder();

	/** True once there are meters of bytes. */
	private boolean hasBytes;

	private final AtomicReferenceArray<LongAdder> failures = new AtomicReferenceArray<>(Serialization.values().length);

	private final ExceptionCounters exceptions;

	/** Null before the first element of a stream. */
	private volatile @Nullable StreamMeters streams;

	MicrometerCallRecorder(Meters meters, Side side, String service, String method, String protocol) {
		this.meters = meters;
		this.client = side == Side.CLIENT;
		this.tags = Tags.of(RpcMeters.TAG_SERVICE, service, RpcMeters.TAG_METHOD, method, RpcMeters.TAG_PROTOCOL,
				protocol);
		this.exceptions = new ExceptionCounters(meters, service, method);
		if (this.client || protocol.equals(NATIVE)) {
			resolve(RpcStatus.OK);
		}
	}

	private LongAdder counter(RpcMeters meter, String direction, LongAdder value) {
		return this.meters.counter(meter, this.tags.and(RpcMeters.TAG_DIRECTION, direction), value, LongAdder::sum);
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		times(status).record(nanos);
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
		times(status).record(nanos);
	}

	@Override
	public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
		times(status).record(nanos, calls);
	}

	@Override
	public void carried(long argumentBytes, long resultBytes) {
		this.argumentBytes.add(argumentBytes);
		this.resultBytes.add(resultBytes);
	}

	@Override
	public void elements(long arguments, long results) {
		streams().passed(arguments, results);
	}

	@Override
	public void firstElement(long nanos) {
		streams().first(nanos);
	}

	private StreamMeters streams() {
		StreamMeters known = this.streams;
		return (known != null) ? known : resolveStreams();
	}

	private synchronized StreamMeters resolveStreams() {
		StreamMeters known = this.streams;
		if (known == null) {
			known = new StreamMeters(this.meters, this.client, this.tags);
			this.streams = known;
		}
		return known;
	}

	@Override
	public void failed(Serialization way) {
		LongAdder known = this.failures.get(way.ordinal());
		((known != null) ? known : resolve(way)).increment();
	}

	@Override
	public void threw(String type) {
		this.exceptions.add(type);
	}

	private CallTimes times(RpcStatus status) {
		CallTimes known = this.times.get(status.ordinal());
		return (known != null) ? known : resolve(status);
	}

	private synchronized CallTimes resolve(RpcStatus status) {
		CallTimes known = this.times.get(status.ordinal());
		if (known == null) {
			known = this.meters.times(this.client ? RpcMeters.CLIENT_CALLS : RpcMeters.SERVER_CALLS,
					this.client ? RpcMeters.CLIENT_CALLS_MAX : RpcMeters.SERVER_CALLS_MAX,
					this.tags.and(RpcMeters.TAG_STATUS, status.name()));
			this.times.set(status.ordinal(), known);
			if (!this.hasBytes) {
				this.hasBytes = true;
				RpcMeters bytes = this.client ? RpcMeters.CLIENT_CALLS_BYTES : RpcMeters.SERVER_CALLS_BYTES;
				this.argumentBytes = counter(bytes, "argument", this.argumentBytes);
				this.resultBytes = counter(bytes, "result", this.resultBytes);
			}
		}
		return known;
	}

	private synchronized LongAdder resolve(Serialization way) {
		LongAdder known = this.failures.get(way.ordinal());
		if (known == null) {
			known = counter(
					this.client ? RpcMeters.CLIENT_SERIALIZATION_FAILURES : RpcMeters.SERVER_SERIALIZATION_FAILURES,
					way.name().toLowerCase(Locale.ROOT), new LongAdder());
			this.failures.set(way.ordinal(), known);
		}
		return known;
	}

}
