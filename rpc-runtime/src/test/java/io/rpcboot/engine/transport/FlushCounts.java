package io.rpcboot.engine.transport;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;

/** Counts what a side flushes. */
final class FlushCounts implements RpcMetrics, TransportRecorder {

	final AtomicInteger flushes = new AtomicInteger();

	final AtomicInteger messages = new AtomicInteger();

	final AtomicInteger largest = new AtomicInteger();

	private final AtomicIntegerArray reasons = new AtomicIntegerArray(FlushReason.values().length);

	int because(FlushReason reason) {
		return this.reasons.get(reason.ordinal());
	}

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		this.flushes.incrementAndGet();
		this.messages.addAndGet(messages);
		this.largest.accumulateAndGet(messages, Math::max);
		this.reasons.incrementAndGet(reason.ordinal());
	}

	@Override
	public TransportRecorder transport(Side side) {
		return this;
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return RpcMetrics.none().calls(side, method);
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return RpcMetrics.none().gauge(level, subject, value);
	}

}
