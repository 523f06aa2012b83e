package io.rpcboot.internal.logging;

import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decorates metrics with a log line at DEBUG for each call: method, status and time,
 * never an argument. The loggers are not children of the engine's loggers, so that DEBUG
 * there does not log each call. A client or server whose logger is not at DEBUG when it
 * is built is not decorated, so its calls cost nothing more.
 */
public final class CallLoggingMetrics implements RpcMetrics {

	/** Logger of clients. */
	public static final String CLIENT = "rpc.client.calls";

	/** Logger of servers. */
	static final String SERVER = "rpc.server.calls";

	private static final long NANOS_PER_MICRO = 1000;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final RpcMetrics metrics;

	private final Side side;

	private final Logger logger;

	private CallLoggingMetrics(RpcMetrics metrics, Side side, Logger logger) {
		this.metrics = metrics;
		this.side = side;
		this.logger = logger;
	}

	/**
	 * Decorates metrics if the logger of a side is at DEBUG.
	 * @param side the side
	 * @param metrics the metrics
	 * @return the metrics, decorated or not
	 */
	public static RpcMetrics over(Side side, RpcMetrics metrics) {
		Logger logger = LoggerFactory.getLogger((side == Side.CLIENT) ? CLIENT : SERVER);
		return logger.isDebugEnabled() ? new CallLoggingMetrics(metrics, side, logger) : metrics;
	}

	/**
	 * Formats a time in seconds. Cheap enough for a line per call.
	 * @param nanos 0 or more
	 * @return three decimal places and the unit
	 */
	public static String seconds(long nanos) {
		return thousandths((nanos + NANOS_PER_MILLI / 2) / NANOS_PER_MILLI) + " s";
	}

	/**
	 * Formats a time in milliseconds. Cheap enough for a line per call.
	 * @param nanos 0 or more
	 * @return three decimal places and the unit
	 */
	public static String millis(long nanos) {
		return thousandths((nanos + NANOS_PER_MICRO / 2) / NANOS_PER_MICRO) + " ms";
	}

	private static String thousandths(long count) {
		return count / 1000 + "." + String.valueOf(1000 + count % 1000).substring(1);
	}

	@Override
	public CallRecorder calls(Side of, MethodDescriptor method) {
		return new Recorder(this.metrics.calls(of, method), method.toString());
	}

	@Override
	public TransportRecorder transport(Side of) {
		return this.metrics.transport(of);
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return this.metrics.gauge(level, subject, value);
	}

	/** Returns false for failed calls of a client, which are logged in detail anyway. */
	private boolean isLogged(RpcStatus status) {
		return this.side == Side.SERVER || status == RpcStatus.OK || status == RpcStatus.DECLARED;
	}

	private final class Recorder implements CallRecorder {

		private final CallRecorder recorder;

		private final String method;

		Recorder(CallRecorder recorder, String method) {
			this.recorder = recorder;
			this.method = method;
		}

		@Override
		public void record(RpcStatus status, long nanos, String peer) {
			this.recorder.record(status, nanos, peer);
			log(status, nanos);
		}

		@Override
		public void record(RpcStatus status, long nanos, String peer, String traceId) {
			this.recorder.record(status, nanos, peer, traceId);
			log(status, nanos);
		}

		@Override
		public void record(RpcStatus status, long[] nanos, int calls, String peer) {
			this.recorder.record(status, nanos, calls, peer);
			for (int i = 0; i < calls; i++) {
				log(status, nanos[i]);
			}
		}

		private void log(RpcStatus status, long nanos) {
			if (CallLoggingMetrics.this.logger.isDebugEnabled() && isLogged(status)) {
				CallLoggingMetrics.this.logger.debug("{}: {} after {}", this.method, status, millis(nanos));
			}
		}

		@Override
		public void threw(String type) {
			this.recorder.threw(type);
		}

		@Override
		public void carried(long argumentBytes, long resultBytes) {
			this.recorder.carried(argumentBytes, resultBytes);
		}

		@Override
		public void failed(Serialization way) {
			this.recorder.failed(way);
		}

	}

}
