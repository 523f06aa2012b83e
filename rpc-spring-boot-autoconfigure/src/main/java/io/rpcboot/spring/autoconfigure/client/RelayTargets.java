package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClientBuilder;

/**
 * Way from a relay to servers: options of the client, and of each route as those of a
 * reference.
 *
 * @since 0.1.0
 */
public final class RelayTargets {

	private final RpcClientFactory factory;

	private final RpcClientProperties properties;

	private final ReferencePropertiesCustomizer customizer;

	RelayTargets(RpcClientFactory factory, RpcClientProperties properties, ReferencePropertiesCustomizer customizer) {
		this.factory = factory;
		this.properties = properties;
		this.customizer = customizer;
	}

	/**
	 * Returns a builder of a client.
	 * @return a builder with properties and beans
	 * @throws io.rpcboot.RpcConfigurationException if a property or a bean is not usable
	 */
	public RpcClientBuilder builder() {
		return this.factory.builder(this.properties);
	}

	/**
	 * Returns the options of a route.
	 * @param route name of its property
	 * @param settings its settings
	 * @return the options
	 * @throws io.rpcboot.RpcConfigurationException if a property or a bean is not usable
	 */
	public ReferenceOptions target(String route, ReferenceSettings settings) {
		return this.customizer.ofRoute(route, settings);
	}

}
