package io.rpcboot.security;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;

/**
 * A call that a server has refused before any interceptor saw it, because of credentials,
 * lists or rules. Texts of the client are as it has sent them.
 *
 * @param remote address and port of the client
 * @param application name that the client claims, empty if it claims none
 * @param protocol protocol of the connection: {@code native} or {@code grpc}
 * @param caller identity as far as it is proved, anonymous without a proof
 * @param service name of the service, which may not exist; empty if all calls of the
 * connection were refused
 * @param method the method, which may not exist; empty if all of the service were refused
 * @param status status that the client receives
 * @since 0.1.0
 */
public record RefusedCall(String remote, String application, String protocol, CallerIdentity caller, String service,
		String method, RpcStatus status) {
}
