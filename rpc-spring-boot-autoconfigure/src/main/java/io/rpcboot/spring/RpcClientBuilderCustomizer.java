package io.rpcboot.spring;

import io.rpcboot.client.RpcClientBuilder;

/**
 * Changes the client before it is made. Beans of this type are called in their order,
 * after the properties.
 */
@FunctionalInterface
public interface RpcClientBuilderCustomizer {

	/**
	 * Change the client to be.
	 * @param builder its builder
	 */
	void customize(RpcClientBuilder builder);

}
