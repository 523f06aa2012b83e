package io.rpcboot.internal.server.connection.binary;

/**
 * Call that arrived before its method was bound.
 *
 * @param oneWay true for a one-way call
 * @param flags flags of its frame
 * @param code number of its method
 * @param callId its call id
 * @param body the whole body
 * @param offset index of the attachments or arguments in the body
 * @param arrivedNanos arrival, as {@link System#nanoTime()}
 * @param allowedNanos time allowed from the arrival
 */
record UnboundCall(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long arrivedNanos,
		long allowedNanos) {
}
