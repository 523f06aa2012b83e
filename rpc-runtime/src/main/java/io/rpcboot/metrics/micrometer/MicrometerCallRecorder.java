package io.rpcboot.metrics.micrometer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.CallRecorder;

/**
 * The timers of one method, one for each status. OK is there from the start, the others
 * from the first call that ends so: a timer that never counts would be sent for ever.
 */
final class MicrometerCallRecorder implements CallRecorder {

	private final MeterRegistry registry;

	private final RpcMeters meter;

	private final MethodDescriptor method;

	private final AtomicReferenceArray<Timer> timers = new AtomicReferenceArray<>(RpcStatus.values().length);

	MicrometerCallRecorder(MeterRegistry registry, RpcMeters meter, MethodDescriptor method) {
		this.registry = registry;
		this.meter = meter;
		this.method = method;
		resolve(RpcStatus.OK);
	}

	@Override
	public void record(RpcStatus status, long nanos) {
		Timer timer = this.timers.get(status.ordinal());
		((timer != null) ? timer : resolve(status)).record(nanos, TimeUnit.NANOSECONDS);
	}

	private Timer resolve(RpcStatus status) {
		Timer timer = Timer.builder(this.meter.meterName())
			.tag(RpcMeters.TAG_SERVICE, this.method.service().toString())
			.tag(RpcMeters.TAG_METHOD, this.method.signature())
			.tag(RpcMeters.TAG_STATUS, status.name())
			.register(this.registry);
		this.timers.set(status.ordinal(), timer);
		return timer;
	}

}
