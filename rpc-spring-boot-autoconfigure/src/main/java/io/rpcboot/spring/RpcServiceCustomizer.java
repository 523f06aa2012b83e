package io.rpcboot.spring;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.ServiceOptions;

/**
 * Changes the options of services before they are offered. Beans of this type are asked
 * in their order, once for each {@link RpcService}.
 */
@FunctionalInterface
public interface RpcServiceCustomizer {

	/**
	 * Change the options of a service.
	 * @param service what is offered
	 * @param options the options as properties have them, or as the customizer before
	 * left them
	 * @return the options to use
	 */
	ServiceOptions customize(ServiceDescriptor service, ServiceOptions options);

}
