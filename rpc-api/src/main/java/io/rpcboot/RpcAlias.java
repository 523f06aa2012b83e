package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Former names of what was renamed: of a type, a field, a record component, an enum
 * constant or a method. Client and server match by name; with an alias the side that has
 * the new name and the side that still has the old one understand each other, in both
 * directions. It can be removed when no peer uses the old name any more.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.FIELD, ElementType.METHOD })
public @interface RpcAlias {

	/**
	 * The former names.
	 * @return for a type its binary class name, such as {@code com.acme.Order$Line};
	 * otherwise the simple name
	 */
	String[] value();

}
