package io.rpcboot.internal.server.services;

import java.util.function.Supplier;

import io.rpcboot.server.ServiceOptions;

/**
 * A service to be offered.
 *
 * @param implementation gives the object that runs a call
 * @param options what differs from other services
 */
public record ServiceRegistration(Supplier<?> implementation, ServiceOptions options) {

	public ServicePolicy policy() {
		return new ServicePolicy(this.options);
	}

}
