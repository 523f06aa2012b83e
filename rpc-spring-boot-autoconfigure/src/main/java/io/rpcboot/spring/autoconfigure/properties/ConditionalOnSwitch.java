package io.rpcboot.spring.autoconfigure.properties;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Condition on a boolean property, read by the rules of binding: {@code on}, {@code yes}
 * and {@code 1} are true, and start-up fails for a value that is no boolean.
 *
 * @since 0.1.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnSwitchCondition.class)
public @interface ConditionalOnSwitch {

	/**
	 * The name of the property.
	 * @return for example {@code rpc.server.enabled}
	 */
	String value();

	/**
	 * The required value.
	 * @return true to match if the property is true
	 */
	boolean is() default true;

	/**
	 * The value of the property if it is not set.
	 * @return the default
	 */
	boolean byDefault();

}
