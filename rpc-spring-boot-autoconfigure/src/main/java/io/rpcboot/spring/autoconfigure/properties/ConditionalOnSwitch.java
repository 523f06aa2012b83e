package io.rpcboot.spring.autoconfigure.properties;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches what a property turns on or off, read by the rule by which it is bound:
 * {@code on}, {@code yes} and {@code 1} are true, too, and a value that is neither true
 * nor false ends the start.
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
	 * What the property has to be.
	 * @return true to match where it is on
	 */
	boolean is() default true;

	/**
	 * What the property is where nobody has set it.
	 * @return true if it is on then
	 */
	boolean byDefault();

}
