package io.rpcboot.internal.logging;

import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.TransportRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics that write a line at DEBUG for each call as well: method, status and time,
 * never an argument. The loggers are no children of the engine's, so that its DEBUG does
 * not bring a line for each call. A client or server whose logger is not at DEBUG when it
 * is built has no such metrics: its calls cost nothing more.
 */
public final class CallLoggingMetrics implements RpcMetrics {

	/** The logger of clients. */
	public static final String CLIENT = "rpc.client.calls";

	/** The logger of servers. */
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
	 * Add the log to metrics, if it is wanted now.
	 * @param side who is built
	 * @param metrics the metrics
	 * @return the same metrics if the logger of the side is not at DEBUG
	 */
	public static RpcMetrics over(Side side, RpcMetrics metrics) {
		Logger logger = LoggerFactory.getLogger((side == Side.CLIENT) ? CLIENT : SERVER);
		return logger.isDebugEnabled() ? new CallLoggingMetrics(metrics, side, logger) : metrics;
	}

	/**
	 * A time as lines of calls and failures have it, of which there may be many: no
	 * formatter.
	 * @param nanos 0 or more
	 * @return seconds with three digits behind the point, and the unit
	 */
	public static String seconds(long nanos) {
		return thousandths((nanos + NANOS_PER_MILLI / 2) / NANOS_PER_MILLI) + " s";
	}

	/**
	 * The same in milliseconds.
	 * @param nanos 0 or more
	 * @return milliseconds with three digits behind the point, and the unit
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

	/** A client has written each failed call, with all that is known of it. */
	private boolean isWritten(RpcStatus status) {
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
			if (CallLoggingMetrics.this.logger.isDebugEnabled() && isWritten(status)) {
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
