package io.rpcboot.spring;

import java.util.Map;

import io.rpcboot.client.ReferenceOptions;

/**
 * Callback that changes the options of a reference before its proxy is created. Beans of
 * this type are called in their order, once for each reference. Example:
 * <pre class="code">
 * &#064;Bean
 * RpcReferenceCustomizer shortTimeouts() {
 * 	return (type, name, options) -&gt; options.withTimeout(Duration.ofMillis(200));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RpcReferenceCustomizer {

	/**
	 * Returns the options to use for a reference.
	 * @param type the interface
	 * @param name the name given in {@link RpcReference#name()}, empty for none
	 * @param options the declared options, or those that the previous customizer returned
	 * @return the options to use
	 */
	ReferenceOptions customize(Class<?> type, String name, ReferenceOptions options);

	/**
	 * Returns the sources of the values that this customizer set, which the endpoint
	 * {@code rpc} shows. Options without an entry are shown with the class of the
	 * customizer.
	 * @param type the interface
	 * @param name the name given in {@link RpcReference#name()}, empty for none
	 * @param options the options that this customizer returned
	 * @return source by option; options are named as in properties:
	 * {@code wait-for-instance}, {@code methods.<method>.timeout}
	 */
	default Map<String, String> origins(Class<?> type, String name, ReferenceOptions options) {
		return Map.of();
	}

}
