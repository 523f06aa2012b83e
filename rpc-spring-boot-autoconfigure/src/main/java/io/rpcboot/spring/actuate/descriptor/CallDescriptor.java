package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.RpcStatus;
import io.rpcboot.metrics.history.NotedCall;
import org.jspecify.annotations.Nullable;

/**
 * A call that was slow or failed; never with its arguments.
 *
 * @param at when it ended, in milliseconds since 1970
 * @param side {@code client} or {@code server}
 * @param service the service
 * @param method the method by signature
 * @param peer address of the other side, empty if no connection took the call
 * @param status how it ended
 * @param millis how long it took
 * @param oneWay whether nobody waits for its end
 * @param traceId the trace that it belongs to, null for none
 */
public record CallDescriptor(long at, String side, String service, String method, String peer, RpcStatus status,
		double millis, boolean oneWay, @Nullable String traceId) {

	public static CallDescriptor of(NotedCall call) {
		return new CallDescriptor(call.atEpochMillis(), MethodStatsDescriptor.name(call.side()), call.service(),
				call.method(), call.peer(), call.status(), Formats.millis(call.nanos()), call.oneWay(), call.traceId());
	}

	/**
	 * The calls that were noted; null without a history.
	 *
	 * @param slowest those of the last 15 minutes, the slowest first
	 * @param failed those that failed, the latest first
	 */
	public record Noted(@Nullable List<CallDescriptor> slowest, @Nullable List<CallDescriptor> failed) {
	}

}
