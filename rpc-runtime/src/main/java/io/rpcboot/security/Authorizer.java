package io.rpcboot.security;

import java.util.List;

import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;

/**
 * Decides at a server who may call what. The server asks before it reads arguments: for
 * connections of the native protocol when a client binds a service, and again when its
 * credentials change; over gRPC for each call. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Authorizer {

	/**
	 * Returns true if a caller may call a method. Must not block, and return the same for
	 * the same caller. A service or method may not exist; the caller gets the same
	 * refusal then.
	 * @param caller identity of the caller, {@link CallerIdentity#isAuthenticated()} or
	 * not
	 * @param service the service, without version and group for those of the server
	 * itself, such as {@code grpc.health.v1.Health}
	 * @param method name of the method
	 * @return false to refuse: with UNAUTHENTICATED to a caller that has proved nothing,
	 * with PERMISSION_DENIED to others
	 */
	boolean permits(CallerIdentity caller, ServiceId service, String method);

	/**
	 * Returns the rules that may decide about calls of a service, for operators.
	 * @param service the service
	 * @return texts, in the order in which the rules are asked; empty for none, and if an
	 * authorizer does not tell
	 */
	default List<String> rules(ServiceId service) {
		return List.of();
	}

}
