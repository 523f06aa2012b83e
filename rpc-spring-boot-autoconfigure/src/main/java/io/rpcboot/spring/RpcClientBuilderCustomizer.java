package io.rpcboot.spring;

import io.rpcboot.client.RpcClientBuilder;

/**
 * Callback that changes the client before it is built. Beans of this type are called in
 * their order, after properties are applied. Example: <pre class="code">
 * &#064;Bean
 * RpcClientBuilderCustomizer resolver() {
 * 	return (builder) -&gt; builder.dns(DnsOptions.defaults().withInterval(Duration.ofSeconds(5)));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcClientBuilderCustomizer {

	/**
	 * Changes the builder.
	 * @param builder the builder of the client
	 */
	void customize(RpcClientBuilder builder);

}
