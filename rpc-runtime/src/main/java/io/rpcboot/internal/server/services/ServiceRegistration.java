package io.rpcboot.internal.server.services;

import java.util.function.Supplier;

import io.rpcboot.server.ServiceOptions;

/**
 * Service to be offered.
 *
 * @param implementation supplies the object that runs a call
 * @param options options of the service
 */
public record ServiceRegistration(Supplier<?> implementation, ServiceOptions options) {

	/** Returns the options as a policy for methods. */
	public ServicePolicy policy() {
		return new ServicePolicy(this.options);
	}

}
