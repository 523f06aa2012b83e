package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The argument that decides which instance gets a call: calls with the same key go to the
 * same instance as long as it is there and has room. Good for what an instance keeps of
 * its earlier calls, such as a cache; nothing may depend on it, because calls move when
 * instances come, go, fail or have too much to do.
 * <p>
 * On one parameter of a method of the interface. The key is the text of the argument, so
 * its type has a {@code toString()} of its own: strings, numbers, enums, records,
 * {@link java.util.UUID}. An argument that is null is no key. The attachment
 * {@code route-key} of a call goes before it.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcRouteKey {

}
