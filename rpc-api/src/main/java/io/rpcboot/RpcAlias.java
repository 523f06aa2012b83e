package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Former names of a type, a field, a record component, an enum constant, a method or a
 * parameter. Client and server match names. With an alias, a peer with the new name and a
 * peer with the old one understand each other in both directions:
 *
 * <pre>{@code
 * public record User(long id, @RpcAlias("mail") String email) {
 * }
 * }</pre>
 *
 * Remove an alias when no peer uses the old name. On a parameter it keeps the number that
 * the parameter has in the request over gRPC; the native protocol knows parameters by
 * their place.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
public @interface RpcAlias {

	/**
	 * Former names.
	 * @return binary names of a class, such as {@code com.acme.Order$Line}, or simple
	 * names of a member
	 */
	String[] value();

}
