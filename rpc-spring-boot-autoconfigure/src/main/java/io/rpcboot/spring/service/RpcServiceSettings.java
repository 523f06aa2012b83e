package io.rpcboot.spring.service;

import java.util.Map;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.RpcService;

/** Settings of services by their names, which are looked at all together. */
@FunctionalInterface
public interface RpcServiceSettings {

	/**
	 * Change the options of services.
	 * @param declared all services of the server, with what {@link RpcService} says
	 * @return the same services
	 */
	Map<ServiceDescriptor, ServiceOptions> customize(Map<ServiceDescriptor, ServiceOptions> declared);

	/**
	 * Where that was said which these settings have changed.
	 * @param service a service that was customized
	 * @return origins by the option that they set, as properties call it:
	 * {@code max-threads}, {@code methods.<method>.dispatch}; empty for none
	 */
	default Map<String, String> origins(ServiceId service) {
		return Map.of();
	}

}
