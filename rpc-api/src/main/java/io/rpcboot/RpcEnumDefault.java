package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the enum constant that replaces constants which the receiver does not know:
 *
 * <pre>{@code
 * public enum Color {
 *     RED, GREEN,
 *     &#64;RpcEnumDefault OTHER
 * }
 * }</pre>
 *
 * Without it an unknown constant arrives as null. At most one constant of an enum may
 * have it.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface RpcEnumDefault {

}
