package io.rpcboot.spring.logging;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
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

	private final double sampling;

	/**
	 * Creates an interceptor.
	 * @param sampling fraction of successful calls to write: 0 for none, 1 for all
	 */
	public AccessLogInterceptor(double sampling) {
		Options.require(sampling >= 0 && sampling <= 1, "access-log.sampling", sampling, "0 (failures only) to 1");
		this.sampling = sampling;
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
		StringBuilder line = new StringBuilder(200).append("peer=").append(connection.remote());
		if (!connection.application().isEmpty()) {
			line.append(" claimed-application=").append(LogText.value(connection.application()));
		}
		CallerIdentity caller = call.context().caller();
		if (caller.isAuthenticated()) {
			line.append(" caller=").append(LogText.value(caller.getName()));
		}
		line.append(" protocol=").append(connection.protocol());
		line.append(" service=").append(method.service());
		line.append(" method=").append(LogText.value(method.signature()));
		line.append(" status=").append(outcome.status());
		appendMillis(line.append(" millis="), outcome.duration());
		String traceId = call.traceId();
		if (traceId != null) {
			line.append(" trace=").append(LogText.value(traceId));
		}
		return line.toString();
	}

	private static void appendMillis(StringBuilder line, Duration duration) {
		long micros = duration.toNanos() / NANOS_PER_MICRO;
		String rest = String.valueOf(MICROS_PER_MILLI + micros % MICROS_PER_MILLI).substring(1);
		line.append(micros / MICROS_PER_MILLI).append('.').append(rest);
	}

}
