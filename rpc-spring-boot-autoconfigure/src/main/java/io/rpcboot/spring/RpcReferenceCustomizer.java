package io.rpcboot.spring;

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

}
