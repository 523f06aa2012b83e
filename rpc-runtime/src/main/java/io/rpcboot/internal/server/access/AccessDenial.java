package io.rpcboot.internal.server.access;

import io.rpcboot.RpcStatus;

/**
 * Reason why a client or a call is refused. That of a caller who may not call a service
 * is the same whether the service exists or not.
 *
 * @param status status of the calls
 * @param message text for the caller
 */
public record AccessDenial(RpcStatus status, String message) {
}
