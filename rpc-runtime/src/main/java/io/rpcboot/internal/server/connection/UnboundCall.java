package io.rpcboot.internal.server.connection;

/**
 * A call as it arrived, before its method is known.
 *
 * @param oneWay whether nobody waits for an answer
 * @param flags those of its frame
 * @param code number of the method
 * @param callId the call
 * @param body all of it
 * @param offset where its attachments or arguments begin
 * @param arrivedNanos when it arrived
 * @param allowedNanos time allowed from then on
 */
public record UnboundCall(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long arrivedNanos,
		long allowedNanos) {
}
