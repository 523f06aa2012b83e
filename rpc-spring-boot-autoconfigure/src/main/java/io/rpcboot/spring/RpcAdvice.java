package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * A bean whose {@link RpcExceptionHandler} methods turn exceptions of all services into
 * what their callers get. Of several such beans the first by
 * {@link org.springframework.core.annotation.Order} that has a method for an exception
 * decides.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface RpcAdvice {

	/**
	 * The name of the bean.
	 * @return empty for one made of the name of the class
	 */
	@AliasFor(annotation = Component.class)
	String value() default "";

}
