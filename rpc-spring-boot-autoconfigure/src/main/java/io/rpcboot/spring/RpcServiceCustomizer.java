package io.rpcboot.spring;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.ServiceOptions;

/**
 * Callback that changes the options of a service before it is offered. Beans of this type
 * are called in their order, once for each service. Example: <pre class="code">
 * &#064;Bean
 * RpcServiceCustomizer reports() {
 * 	return (service, options) -&gt; (service.type() == ReportService.class) ? options.withMaxThreads(8) : options;
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcServiceCustomizer {

	/**
	 * Returns the options to use for a service.
	 * @param service the service
	 * @param options the options from properties, or those that the previous customizer
	 * returned
	 * @return the options to use
	 */
	ServiceOptions customize(ServiceDescriptor service, ServiceOptions options);

}
