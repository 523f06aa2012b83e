package io.rpcboot.transport;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.jspecify.annotations.Nullable;

/**
 * State of a connection, for tools and dashboards. It is read while the connection works,
 * so its numbers may be some calls apart.
 *
 * @param remote address and port of the peer
 * @param protocol protocol that both speak, null until the first bytes tell it
 * @param application application name that the peer reported, empty for none
 * @param identity name that the peer has proved by its certificate or credentials, empty
 * for none. Each request over gRPC may prove another name; this is the last one
 * @param encrypted true if the connection uses TLS
 * @param batching flush rule of the connection
 * @param averageBatch mean number of frames in recent flushes, 0 before the first flush
 * @param messages frames flushed since the start
 * @param grantedCalls calls granted to the client since it connected
 * @param usedCalls calls sent by the client since it connected; it may still send {@code
 * grantedCalls - usedCalls}
 * @param grantedBytes bytes of arguments granted to the client since it connected
 * @param usedBytes bytes of arguments sent by the client since it connected
 * @param pending client: calls waiting for a reply; server: calls without a written reply
 * @param held client: calls over 4 KiB waiting for memory of the server; server: calls
 * waiting for the contract of their client, and replies waiting for the socket
 * @param flushes flushes since the start, by reason
 * @param stalls flushes since the start after which the socket was full
 * @param reads reads since the start that returned bytes; if this number does not change
 * while calls are pending, the peer is silent
 * @param memoryBytes bytes that the connection holds of the memory account of this side:
 * granted and unused ones, those of calls, results and contracts
 * @since 0.1.0
 */
public record ConnectionInfo(String remote, @Nullable Protocol protocol, String application, String identity,
		boolean encrypted, BatchingOptions.Mode batching, double averageBatch, long messages, long grantedCalls,
		long usedCalls, long grantedBytes, long usedBytes, int pending, int held, Map<FlushReason, Long> flushes,
		long stalls, int reads, long memoryBytes) {

	public ConnectionInfo {
		flushes = Collections.unmodifiableMap(new TreeMap<>(flushes));
	}

}
