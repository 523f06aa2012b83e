package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.history.NotedCall;
import org.jspecify.annotations.Nullable;

/**
 * A slow or failed call, without its arguments.
 *
 * @param at end of the call, in milliseconds since 1970
 * @param side {@code client} or {@code server}
 * @param service the service
 * @param method the signature of the method
 * @param peer address of the peer, empty if the call was not sent
 * @param status outcome of the call
 * @param millis duration
 * @param oneWay true for a one-way call
 * @param traceId the trace of the call, null for none
 * @since 0.1.0
 */
public record CallDescriptor(long at, String side, String service, String method, String peer, RpcStatus status,
		double millis, boolean oneWay, @Nullable String traceId) {

	public static CallDescriptor of(NotedCall call) {
		return new CallDescriptor(call.atEpochMillis(), MethodStatsDescriptor.name(call.side()), call.service(),
				call.method(), call.peer(), call.status(), Formats.millis(call.nanos()), call.oneWay(), call.traceId());
	}

	/**
	 * Slow and failed calls; null without a history.
	 *
	 * @param slowest the slowest calls of the last 15 minutes, slowest first
	 * @param failed failed calls, latest first
	 */
	public record Noted(@Nullable List<CallDescriptor> slowest, @Nullable List<CallDescriptor> failed) {
	}

}
