package io.rpcboot.spring;

import io.rpcboot.server.RpcServerBuilder;

/**
 * Callback that changes the server before it is built. Beans of this type are called in
 * their order, after properties and services are applied. Example: <pre class="code">
 * &#064;Bean
 * RpcServerBuilderCustomizer audit(AuditInterceptor interceptor) {
 * 	return (builder) -&gt; builder.interceptor(interceptor);
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcServerBuilderCustomizer {

	/**
	 * Changes the builder.
	 * @param builder the builder of the server
	 */
	void customize(RpcServerBuilder builder);

}
