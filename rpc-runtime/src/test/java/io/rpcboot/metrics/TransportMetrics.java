package io.rpcboot.metrics;

import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;

/**
 * Metrics of connections alone.
 *
 * @param recorder of both sides
 */
public record TransportMetrics(TransportRecorder recorder) implements RpcMetrics {

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return RpcMetrics.none().calls(side, method);
	}

	@Override
	public TransportRecorder transport(Side side) {
		return this.recorder;
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return RpcMetrics.none().gauge(level, subject, value);
	}

}
