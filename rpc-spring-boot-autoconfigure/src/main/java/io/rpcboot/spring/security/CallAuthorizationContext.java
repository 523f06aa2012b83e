package io.rpcboot.spring.security;

import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;

/**
 * Call that a rule decides about. Its arguments are not read yet.
 *
 * @param caller identity of the caller
 * @param service the service, which may not exist
 * @param method name of the method, which may not exist; empty for a service that does
 * not exist
 * @since 0.1.0
 */
public record CallAuthorizationContext(CallerIdentity caller, ServiceId service, String method) {

	/** Returns service and method. */
	@Override
	public String toString() {
		return this.service + "/" + this.method;
	}

}
