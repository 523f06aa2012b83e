package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A slow or failed call, without its arguments.
 *
 * @param at end of the call, in milliseconds since 1970
 * @param side {@code client} or {@code server}
 * @param service the service
 * @param method the signature of the method
 * @param peer address of the peer, empty if the call was not sent
 * @param protocol protocol of the connection, null once that has closed
 * @param application application that the peer of the connection claims to be, null for
 * none, and once that has closed
 * @param caller server: name that the caller has proved, null if it has proved none or is
 * not known
 * @param status outcome of the call
 * @param millis duration
 * @param waitedMillis server: part of the duration before a thread started the call; null
 * at the client
 * @param ranMillis server: part of the duration in the method and until the answer was
 * written; null at the client
 * @param heldMillis client: part of the duration until the call was written, for want of
 * an instance, a permit, a grant or room in the socket, in whole milliseconds; null at
 * the server
 * @param sentMillis client: part of the duration from then to the answer; null at the
 * server
 * @param oneWay true for a one-way call
 * @param traceId the trace of the call, null for none
 * @param message message of a failed call, 300 characters at most, null for none
 * @param exceptionType class of the exception that the implementation has thrown, null
 * for none or if the server does not expose it
 * @since 0.1.0
 */
public record CallDescriptor(long at, String side, String service, String method, String peer,
		@Nullable Protocol protocol, @Nullable String application, @Nullable String caller, RpcStatus status,
		double millis, @Nullable Double waitedMillis, @Nullable Double ranMillis, @Nullable Double heldMillis,
		@Nullable Double sentMillis, boolean oneWay, @Nullable String traceId, @Nullable String message,
		@Nullable String exceptionType) {

	/**
	 * Returns a description.
	 * @param connection open connection of the call, null if there is none
	 */
	public static CallDescriptor of(NotedCall call, @Nullable ConnectionInfo connection) {
		boolean server = call.side() == Side.SERVER;
		Double first = Formats.millis(call.waitedNanos());
		Double rest = Formats.millis(call.nanos() - call.waitedNanos());
		return new CallDescriptor(call.atEpochMillis(), MethodStatsDescriptor.name(call.side()), call.service(),
				call.method(), call.peer(), (connection != null) ? connection.protocol() : null,
				(connection != null) ? known(connection.application()) : null, caller(call, connection), call.status(),
				Formats.millis(call.nanos()), server ? first : null, server ? rest : null, server ? null : first,
				server ? null : rest, call.oneWay(), call.traceId(), call.message(), call.exceptionType());
	}

	/**
	 * Returns the caller as the call knows it, else that of a native connection: a call
	 * with other credentials knows its caller. Over gRPC each call may have others.
	 */
	private static @Nullable String caller(NotedCall call, @Nullable ConnectionInfo connection) {
		if (call.caller() == null && call.side() == Side.SERVER && connection != null
				&& connection.protocol() == Protocol.NATIVE) {
			return known(connection.identity());
		}
		return call.caller();
	}

	private static @Nullable String known(String name) {
		return name.isEmpty() ? null : name;
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
