package io.rpcboot.server;

import java.util.function.Supplier;

/**
 * A service to be offered.
 *
 * @param implementation gives the object that runs a call
 * @param options what differs from other services
 */
record Offering(Supplier<?> implementation, ServiceOptions options) {

	ServicePolicy policy() {
		return new ServicePolicy(this.options);
	}

}
