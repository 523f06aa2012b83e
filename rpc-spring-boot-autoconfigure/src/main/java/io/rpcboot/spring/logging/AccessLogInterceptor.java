package io.rpcboot.spring.logging;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.interceptor.StreamCounts;
import io.rpcboot.security.RefusedCall;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access log of a server: writes a line for each completed call or for a sample of them.
 * Failed calls are always written; arguments never.
 *
 * @since 0.1.0
 */
public final class AccessLogInterceptor implements RpcServerInterceptor {

	/** Name of the logger; its level is INFO. */
	public static final String LOGGER = "rpc.server.access";

	private static final Logger logger = LoggerFactory.getLogger(LOGGER);

	private static final long NANOS_PER_MICRO = 1_000;

	private static final long MICROS_PER_MILLI = 1_000;

	private static final long REFUSALS_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final double sampling;

	private final LongSupplier nanoClock;

	/** Time of the last line of a refused call; guarded by this. */
	private long refusedNanos;

	/** Refused calls without a line since then, -1 before the first; guarded by this. */
	private long leftOut = -1;

	/**
	 * Creates an interceptor.
	 * @param sampling fraction of successful calls to write: 0 for none, 1 for all
	 */
	public AccessLogInterceptor(double sampling) {
		this(sampling, System::nanoTime);
	}

	AccessLogInterceptor(double sampling, LongSupplier nanoClock) {
		Options.require(sampling >= 0 && sampling <= 1, "access-log.sampling", sampling, "0 (failures only) to 1");
		this.sampling = sampling;
		this.nanoClock = nanoClock;
	}

	@Override
	public Position position() {
		return Position.BEFORE_ARGUMENTS;
	}

	@Override
	public @Nullable Object intercept(ServerInvocation call) throws Throwable {
		if (logger.isInfoEnabled()) {
			boolean sampled = this.sampling >= 1 || ThreadLocalRandom.current().nextDouble() < this.sampling;
			call.onEnd((outcome) -> {
				if (sampled || isFailed(outcome)) {
					logger.info(line(call, outcome));
				}
			});
		}
		return call.proceed();
	}

	private static boolean isFailed(CallOutcome outcome) {
		return outcome.status() != RpcStatus.OK && outcome.status() != RpcStatus.DECLARED;
	}

	private static String line(ServerInvocation call, CallOutcome outcome) {
		MethodDescriptor method = call.method();
		RpcConnection connection = call.context().connection();
		StringBuilder line = line(connection.remote(), connection.application(), call.context().caller(),
				connection.protocol());
		line.append(" service=").append(method.service());
		line.append(" method=").append(LogText.value(method.signature()));
		line.append(" status=").append(outcome.status());
		appendMillis(line.append(" millis="), outcome.duration());
		StreamCounts elements = call.streamed();
		if (elements != null) {
			append(line, method, elements);
		}
		String traceId = call.traceId();
		if (traceId != null) {
			line.append(" trace=").append(LogText.value(traceId));
		}
		return line.toString();
	}

	private static void append(StringBuilder line, MethodDescriptor method, StreamCounts elements) {
		if (method.streamParameter() >= 0) {
			line.append(" received=").append(elements.received());
		}
		if (method.style() == Style.STREAM) {
			line.append(" sent=").append(elements.sent());
		}
	}

	/** Begins a line with the client. */
	private static StringBuilder line(String remote, String application, CallerIdentity caller, String protocol) {
		StringBuilder line = new StringBuilder(200).append("peer=").append(remote);
		if (!application.isEmpty()) {
			line.append(" claimed-application=").append(LogText.value(application));
		}
		if (caller.isAuthenticated()) {
			line.append(" caller=").append(LogText.value(caller.getName()));
		}
		return line.append(" protocol=").append(protocol);
	}

	/**
	 * Writes a line for a refused call that no interceptor sees, or counts the call: at
	 * most one a second has a line. To be set as
	 * {@link io.rpcboot.security.AccessOptions#withRefusals}. Any thread.
	 * @param call the call
	 */
	public void refused(RefusedCall call) {
		long others = logger.isInfoEnabled() ? leftOutBefore() : -1;
		if (others < 0) {
			return;
		}
		StringBuilder line = line(call.remote(), call.application(), call.caller(), call.protocol());
		if (!call.service().isEmpty()) {
			line.append(" service=").append(LogText.value(call.service()));
		}
		if (!call.method().isEmpty()) {
			line.append(" method=").append(LogText.value(call.method()));
		}
		line.append(" status=").append(call.status());
		if (others > 0) {
			line.append(" others-refused=").append(others);
		}
		logger.info(line.toString());
	}

	/** Returns the refused calls left out before this one, -1 to leave it out, too. */
	private synchronized long leftOutBefore() {
		long now = this.nanoClock.getAsLong();
		if (this.leftOut >= 0 && now - this.refusedNanos < REFUSALS_NANOS) {
			this.leftOut++;
			return -1;
		}
		long result = Math.max(0, this.leftOut);
		this.refusedNanos = now;
		this.leftOut = 0;
		return result;
	}

	private static void appendMillis(StringBuilder line, Duration duration) {
		long micros = duration.toNanos() / NANOS_PER_MICRO;
		String rest = String.valueOf(MICROS_PER_MILLI + micros % MICROS_PER_MILLI).substring(1);
		line.append(micros / MICROS_PER_MILLI).append('.').append(rest);
	}

}
