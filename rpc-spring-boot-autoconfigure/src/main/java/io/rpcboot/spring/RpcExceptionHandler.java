package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of an {@link RpcAdvice} that maps an exception of an implementation to
 * what the caller receives.
 * <p>
 * Parameters, in any order: the exception; optionally an
 * {@link io.rpcboot.context.RpcContext} and a {@link io.rpcboot.MethodDescriptor}. The
 * method returns or throws an {@link io.rpcboot.RpcException}, whose status, message and
 * details the caller receives, or an exception that the called method declares. Null
 * leaves the exception unchanged. It runs on the thread that completed the call. See
 * {@link RpcAdvice} for an example.
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcExceptionHandler {

	/**
	 * The exceptions to handle, including subclasses. Of several matching methods of a
	 * bean the one with the nearest superclass is used.
	 * @return empty for the type of the exception parameter
	 */
	Class<? extends Throwable>[] value() default {};

}
