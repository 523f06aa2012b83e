package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Parameter whose argument stays at the client, and is called by the server while the
 * call runs:
 *
 * <pre>{@code
 * public interface Reports {
 *
 *     Report build(String id, @RpcCallback Progress progress);
 *
 * }
 *
 * public interface Progress {
 *
 *     void percent(int done);
 *
 *     boolean goOn(String step);
 *
 * }
 * }</pre>
 *
 * The server calls it like any object. A method of it returns once the client's has
 * returned, also one without a result; one that returns a {@code CompletableFuture} does
 * not wait. What the client's method throws arrives as itself if the callback declares
 * it, else as an {@link RpcException} with {@link RpcException#calledMethod()}. Once the
 * call has ended, each method throws an {@link IllegalStateException}.
 * <p>
 * The calls of one callback arrive in order, one at a time: at the client's thread that
 * waits for the result, else where its futures are completed. A thread of the server
 * waits for a minute at most, or for {@link RpcMethod#timeout()} of the callback's
 * method.
 * <p>
 * The type is a public interface without type parameters, whose methods have different
 * names and take and return single values. HTTP/2 carries it, as it carries streams. Null
 * is refused.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface RpcCallback {

}
