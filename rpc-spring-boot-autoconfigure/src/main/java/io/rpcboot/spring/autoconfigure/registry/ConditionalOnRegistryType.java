package io.rpcboot.spring.autoconfigure.registry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rpcboot.spring.autoconfigure.registry.RpcRegistryProperties.Type;

import org.springframework.context.annotation.Conditional;

/**
 * Condition on {@code rpc.registry.type}, or on the type that is used if it is not set.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnRegistryTypeCondition.class)
@interface ConditionalOnRegistryType {

	Type value();

}
