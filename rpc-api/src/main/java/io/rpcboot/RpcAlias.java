package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Former names of a type, a field, a record component, an enum constant or a method.
 * Client and server match names. With an alias, a peer with the new name and a peer with
 * the old one understand each other in both directions:
 *
 * <pre>{@code
 * public record User(long id, @RpcAlias("mail") String email) {
 * }
 * }</pre>
 *
 * Remove an alias when no peer uses the old name.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.FIELD, ElementType.METHOD })
public @interface RpcAlias {

	/**
	 * Former names.
	 * @return binary names of a class, such as {@code com.acme.Order$Line}, or simple
	 * names of a member
	 */
	String[] value();

}
