package io.rpcboot.internal.client.contract;

import io.rpcboot.RpcStatus;

/**
 * Rejection of a service or method of this client's contract by a server.
 *
 * @param status status of its calls
 * @param why reason for display
 */
public record BindRejection(RpcStatus status, String why) {
}
