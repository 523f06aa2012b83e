package io.rpcboot.internal.logging;

import java.util.List;
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
 * Metrics that log a line at DEBUG for each call: method, status and time, never an
 * argument. The loggers are not children of the engine's loggers, so that DEBUG there
 * does not log each call. A client or server whose logger is not at DEBUG when it is
 * built has no such metrics, so its calls cost nothing more.
 */
public final class CallLoggingMetrics implements RpcMetrics {

	/** Logger of clients. */
	public static final String CLIENT = "rpc.client.calls";

	/** Logger of servers. */
	static final String SERVER = "rpc.server.calls";

	private static final long NANOS_PER_MICRO = 1000;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final Side side;

	private final Logger logger;

	private CallLoggingMetrics(Side side, Logger logger) {
		this.side = side;
		this.logger = logger;
	}

	/**
	 * Adds a log of calls to metrics if the logger of a side is at DEBUG.
	 * @param side the side
	 * @param metrics the metrics
	 * @return the metrics, with a log or without
	 */
	public static RpcMetrics over(Side side, RpcMetrics metrics) {
		Logger logger = LoggerFactory.getLogger((side == Side.CLIENT) ? CLIENT : SERVER);
		return logger.isDebugEnabled() ? RpcMetrics.all(List.of(metrics, new CallLoggingMetrics(side, logger)))
				: metrics;
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
		String name = method.toString();
		return (status, nanos, peer) -> {
			if (this.logger.isDebugEnabled() && isLogged(status)) {
				this.logger.debug("{}: {} after {}", name, status, millis(nanos));
			}
		};
	}

	@Override
	public TransportRecorder transport(Side of) {
		return RpcMetrics.none().transport(of);
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		return RpcMetrics.none().gauge(level, subject, value);
	}

	/** Returns false for failed calls of a client, which are logged in detail anyway. */
	private boolean isLogged(RpcStatus status) {
		return this.side == Side.SERVER || status == RpcStatus.OK || status == RpcStatus.DECLARED;
	}

}
