package io.rpcboot.internal.server.services;

import java.util.function.Supplier;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;

/**
 * Service to be offered.
 *
 * @param implementation supplies the object that runs a call
 * @param options options of the service
 * @param codec codec of all methods of a service that is offered over gRPC alone, null
 * for those of the serializers
 */
public record ServiceRegistration(Supplier<?> implementation, ServiceOptions options, @Nullable MethodCodec codec) {

	/** Creates a registration of an interface. */
	public ServiceRegistration(Supplier<?> implementation, ServiceOptions options) {
		this(implementation, options, null);
	}

	/** Returns the options as a policy for methods. */
	public ServicePolicy policy() {
		return new ServicePolicy(this.options);
	}

}
