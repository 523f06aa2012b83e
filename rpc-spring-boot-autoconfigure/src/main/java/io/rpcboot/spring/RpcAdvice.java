package io.rpcboot.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * A bean whose {@link RpcExceptionHandler} methods map exceptions of all services of this
 * process to what callers receive. Example: <pre class="code">
 * &#064;RpcAdvice
 * class OrderAdvice {
 *
 * 	&#064;RpcExceptionHandler
 * 	RpcException noStock(OutOfStockException ex) {
 * 		return new RpcException(RpcStatus.FAILED_PRECONDITION, ex.getMessage(), true);
 * 	}
 *
 * }
 * </pre> Of several advice beans with a matching method the first one by
 * {@link org.springframework.core.annotation.Order} is used.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface RpcAdvice {

	/**
	 * The name of the bean.
	 * @return empty for the name that Spring derives from the class
	 */
	@AliasFor(annotation = Component.class)
	String value() default "";

}
