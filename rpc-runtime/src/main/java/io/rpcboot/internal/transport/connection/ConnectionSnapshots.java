package io.rpcboot.internal.transport.connection;

import java.util.EnumMap;
import java.util.Map;

import io.rpcboot.internal.transport.write.WriteBatch;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.ConnectionInfo;

/**
 * Looks at a connection from any thread, for people. Its numbers are plain fields of the
 * event loop: nothing is locked or published for a look, so they may be late and some
 * frames apart, and nothing is decided by them.
 */
public final class ConnectionSnapshots {

	private ConnectionSnapshots() {
	}

	/**
	 * What a side counts of the calls of a connection.
	 *
	 * @param grantedCalls calls that the client may send in total
	 * @param usedCalls calls that it has sent in total
	 * @param grantedBytes bytes that it may send in total
	 * @param usedBytes bytes that it has sent in total
	 * @param pending calls without an answer
	 * @param held those of them that wait elsewhere than in the write queue
	 */
	public record CallTotals(long grantedCalls, long usedCalls, long grantedBytes, long usedBytes, int pending,
			int held) {
	}

	/**
	 * A connection as it stands now.
	 * @param connection the connection
	 * @param application name of the other side, empty for none
	 * @param batching when it flushes
	 * @param calls what its side counts
	 * @return a snapshot
	 */
	public static ConnectionInfo describe(Connection connection, String application, BatchingOptions.Mode batching,
			CallTotals calls) {
		WriteBatch batch = connection.queue().batch;
		Map<FlushReason, Long> flushes = new EnumMap<>(FlushReason.class);
		for (FlushReason reason : FlushReason.values()) {
			flushes.put(reason, batch.flushes[reason.ordinal()]);
		}
		return new ConnectionInfo(connection.remote(), application, batching,
				Math.round(batch.averageMessages * 100) / 100d, batch.allMessages, calls.grantedCalls(),
				calls.usedCalls(), calls.grantedBytes(), calls.usedBytes(), calls.pending(),
				held(connection) + calls.held(), flushes, batch.stalls, connection.reads());
	}

	/**
	 * Frames that wait in the write queue for a grant or for the socket.
	 * @param connection the connection
	 * @return their number
	 */
	public static int held(Connection connection) {
		return connection.queue().backlog();
	}

}
