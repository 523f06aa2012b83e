package io.rpcboot.spring;

import io.rpcboot.server.RpcServerBuilder;

/**
 * Changes the server before it is made. Beans of this type are called in their order,
 * after the properties and the services.
 */
@FunctionalInterface
public interface RpcServerBuilderCustomizer {

	/**
	 * Change the server to be.
	 * @param builder its builder
	 */
	void customize(RpcServerBuilder builder);

}
