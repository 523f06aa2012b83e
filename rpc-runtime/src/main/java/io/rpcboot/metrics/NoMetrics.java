package io.rpcboot.metrics;

import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;

/** Metrics that record nothing. */
final class NoMetrics implements RpcMetrics, TransportRecorder {

	static final NoMetrics INSTANCE = new NoMetrics();

	private static final CallRecorder CALLS = (status, nanos, peer) -> {
	};

	private NoMetrics() {
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return CALLS;
	}

	@Override
	public TransportRecorder transport(Side side) {
		return this;
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return () -> {
		};
	}

}
