package io.rpcboot.spring.autoconfigure.registry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Type;

import org.springframework.context.annotation.Conditional;

/**
 * Matches the kind of registry that is asked for, however {@code rpc.registry.type} is
 * written, or that is taken where nothing is.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnRegistryTypeCondition.class)
@interface ConditionalOnRegistryType {

	Type value();

}
