package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of an {@link RpcAdvice} that says what a caller gets in place of an exception
 * of an implementation. It takes the exception, and if it wants to know more an
 * {@link io.rpcboot.context.RpcContext} and a {@link io.rpcboot.MethodDescriptor}, in any
 * order. It returns or throws an {@link io.rpcboot.RpcException}, whose status, message
 * and details become the answer, or an exception that the called method declares; null
 * leaves the exception as it is. It runs on the thread that has ended the call.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcExceptionHandler {

	/**
	 * Which exceptions, with their subclasses. Of several methods of a bean that of the
	 * nearest superclass decides.
	 * @return empty for the type of the parameter
	 */
	Class<? extends Throwable>[] value() default {};

}
