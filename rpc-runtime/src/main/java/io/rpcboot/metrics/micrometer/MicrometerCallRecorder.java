package io.rpcboot.metrics.micrometer;

import java.util.concurrent.atomic.AtomicReferenceArray;

import io.micrometer.core.instrument.MeterRegistry;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.CallRecorder;

/**
 * The times of one method's calls, for each status. OK is there from the start, the
 * others from the first call that ends so: a meter that never counts would be sent for
 * ever.
 */
final class MicrometerCallRecorder implements CallRecorder {

	private final MeterRegistry registry;

	private final RpcMeters meter;

	private final RpcMeters max;

	private final MethodDescriptor method;

	private final AtomicReferenceArray<CallTimes> times = new AtomicReferenceArray<>(RpcStatus.values().length);

	private final ExceptionCounters exceptions;

	private final boolean needsEach;

	MicrometerCallRecorder(MeterRegistry registry, RpcMeters meter, RpcMeters max, MethodDescriptor method) {
		this.registry = registry;
		this.meter = meter;
		this.max = max;
		this.method = method;
		this.exceptions = new ExceptionCounters(registry, method);
		this.needsEach = resolve(RpcStatus.OK).needsEach();
	}

	@Override
	public void record(RpcStatus status, int calls, long totalNanos, long maxNanos) {
		CallTimes known = this.times.get(status.ordinal());
		((known != null) ? known : resolve(status)).record(calls, totalNanos, maxNanos);
	}

	@Override
	public void threw(String type) {
		this.exceptions.add(type);
	}

	@Override
	public boolean needsEach() {
		return this.needsEach;
	}

	private synchronized CallTimes resolve(RpcStatus status) {
		CallTimes known = this.times.get(status.ordinal());
		if (known == null) {
			known = CallTimes.register(this.registry, this.meter, this.max, this.method, status);
			this.times.set(status.ordinal(), known);
		}
		return known;
	}

}
