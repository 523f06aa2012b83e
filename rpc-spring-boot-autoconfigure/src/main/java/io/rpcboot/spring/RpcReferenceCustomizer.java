package io.rpcboot.spring;

import java.util.Map;

import io.rpcboot.client.ReferenceOptions;

/**
 * Changes the options of references before they are made. Beans of this type are asked in
 * their order, once for each reference.
 */
@FunctionalInterface
public interface RpcReferenceCustomizer {

	/**
	 * Change the options of a reference.
	 * @param type the interface
	 * @param name the name given in {@link RpcReference#name()}, empty for none
	 * @param options the options as declared, or as the customizer before left them
	 * @return the options to use
	 */
	ReferenceOptions customize(Class<?> type, String name, ReferenceOptions options);

	/**
	 * Where the values that this customizer sets were said, for people who look at the
	 * reference. The class of the customizer is the origin of other changes.
	 * @param type the interface
	 * @param name the name given in {@link RpcReference#name()}, empty for none
	 * @param options the options as this customizer has returned them
	 * @return origins by the option that they set, as properties call it:
	 * {@code wait-for-instance}, {@code methods.<method>.timeout}
	 */
	default Map<String, String> origins(Class<?> type, String name, ReferenceOptions options) {
		return Map.of();
	}

}
