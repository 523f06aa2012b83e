package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the parameter whose argument is the route key of a call. Calls with the same key
 * go to the same instance while it is available and below its limits:
 *
 * <pre>{@code
 * Price price(@RpcRouteKey String article, Currency currency);
 * }</pre>
 *
 * Use it to improve the hit rate of caches in the instances. Correctness must not depend
 * on it, because calls move when instances come, go, fail or are overloaded.
 * <p>
 * A method of the interface may have one such parameter. The key is the text of the
 * argument, so its type needs a {@code toString()} of its own: strings, numbers, enums,
 * records, {@link java.util.UUID}. Null is no key. The attachment {@code route-key} of a
 * call overrides the argument.
 *
 * @since 0.1.0
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcRouteKey {

}
