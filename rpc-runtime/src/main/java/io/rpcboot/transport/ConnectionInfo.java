package io.rpcboot.transport;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.metrics.TransportRecorder.FlushReason;

/**
 * A connection as it stands now, for people and dashboards. It is read without stopping
 * the connection, so that its numbers may be some calls apart.
 *
 * @param remote address and port of the other side
 * @param application name that the other side gave itself, empty for none
 * @param batching when the connection flushes
 * @param averageBatch frames in a flush, averaged over the recent ones, 0 before the
 * first
 * @param messages frames flushed so far
 * @param grantedCalls calls that the client was granted in total since it connected
 * @param usedCalls calls that it has sent in total; the difference may still be sent
 * @param grantedBytes bytes of arguments that the client was granted in total
 * @param usedBytes bytes of arguments that it has sent in total
 * @param pending client: calls waiting for a reply; server: calls whose answer is not
 * written yet
 * @param held client: long calls that wait for memory of the server; server: calls that
 * wait for the contract of their client, and answers that wait for the socket
 * @param flushes flushes so far, by reason
 * @param stalls flushes so far after which the socket took no more
 * @param reads reads so far that brought something; while calls are pending and this
 * stands still, the other side is silent
 */
public record ConnectionInfo(String remote, String application, BatchingOptions.Mode batching, double averageBatch,
		long messages, long grantedCalls, long usedCalls, long grantedBytes, long usedBytes, int pending, int held,
		Map<FlushReason, Long> flushes, long stalls, int reads) {

	public ConnectionInfo {
		flushes = Collections.unmodifiableMap(new TreeMap<>(flushes));
	}

}
