package io.rpcboot.spring.service;

import java.util.Map;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.RpcService;

/**
 * Settings of services, applied to all services of a server at once, so that unknown
 * names can be found.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcServiceSettings {

	/**
	 * Returns the options of all services.
	 * @param declared all services of the server, with the options of {@link RpcService}
	 * @return the same services with their options
	 */
	Map<ServiceDescriptor, ServiceOptions> customize(Map<ServiceDescriptor, ServiceOptions> declared);

	/**
	 * Returns the sources of the options that these settings changed.
	 * @param service a customized service
	 * @return source by option, named as in properties: {@code max-threads},
	 * {@code methods.<method>.dispatch}; empty for none
	 */
	default Map<String, String> origins(ServiceId service) {
		return Map.of();
	}

}
