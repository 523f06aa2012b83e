package io.rpcboot.metrics.jfr;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;

/**
 * Writes slow calls, ends of streams, connects and ends of connections to the JDK's
 * Flight Recorder, as events {@code io.rpcboot.SlowCall}, {@code io.rpcboot.Stream},
 * {@code io.rpcboot.Connect} and {@code io.rpcboot.ConnectionClosed}. The latency of a
 * stream is the time to its first element. Without a recording that enables them, no
 * event is created and no clock is read. Thread-safe. <pre>{@code
 * RpcClient.builder().metrics(new JfrRpcMetrics(Duration.ofMillis(500)))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class JfrRpcMetrics implements RpcMetrics {

	/** Default threshold of slow calls. */
	public static final Duration DEFAULT_SLOW_CALL = Duration.ofSeconds(1);

	private final long slowNanos;

	/**
	 * Creates metrics for all recordings.
	 * @param slowCall duration from which on a call is slow; 0 for all calls
	 * @throws IllegalArgumentException if it is negative
	 */
	public JfrRpcMetrics(Duration slowCall) {
		if (slowCall.isNegative()) {
			throw new IllegalArgumentException("slowCall: %s (expected: 0 or more)".formatted(slowCall));
		}
		this.slowNanos = nanos(slowCall);
	}

	private static long nanos(Duration duration) {
		try {
			return duration.toNanos();
		}
		catch (ArithmeticException ex) {
			return Long.MAX_VALUE;
		}
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return new SlowCallRecorder(side, method, this.slowNanos);
	}

	@Override
	public TransportRecorder transport(Side side) {
		return new ConnectionEvents(side);
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return () -> {
		};
	}

}
