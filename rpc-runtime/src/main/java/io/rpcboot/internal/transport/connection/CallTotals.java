package io.rpcboot.internal.transport.connection;

/**
 * Totals of the calls of a connection, counted by one side, for a snapshot.
 *
 * @param grantedCalls total of calls that the client may send
 * @param usedCalls total of calls that the client has sent
 * @param grantedBytes total of bytes that the client may send
 * @param usedBytes total of bytes that the client has sent
 * @param pending calls without a reply
 * @param held pending calls that wait outside of the write queue
 * @param memoryBytes bytes that the connection holds of the memory account of this side
 */
public record CallTotals(long grantedCalls, long usedCalls, long grantedBytes, long usedBytes, int pending, int held,
		long memoryBytes) {
}
