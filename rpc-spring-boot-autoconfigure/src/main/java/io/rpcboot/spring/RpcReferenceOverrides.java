package io.rpcboot.spring;

import java.util.Set;

import org.springframework.beans.factory.config.SingletonBeanRegistry;

/**
 * Interfaces whose plain bean takes the place of every reference, because a test replaces
 * it. Test support registers one as a singleton under {@link #BEAN_NAME}.
 *
 * @param types the interfaces
 */
public record RpcReferenceOverrides(Set<Class<?>> types) {

	/** The name of the singleton. */
	public static final String BEAN_NAME = "io.rpcboot.spring.RpcReferenceOverrides";

	private static final RpcReferenceOverrides NONE = new RpcReferenceOverrides(Set.of());

	public RpcReferenceOverrides {
		types = Set.copyOf(types);
	}

	static RpcReferenceOverrides of(SingletonBeanRegistry registry) {
		return (registry.getSingleton(BEAN_NAME) instanceof RpcReferenceOverrides overrides) ? overrides : NONE;
	}

}
