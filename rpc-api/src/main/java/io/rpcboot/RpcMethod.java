package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Policy of a method of a service. It stands on the method of the interface, so that
 * client and server agree:
 *
 * <pre>{@code
 * public interface UserService {
 *
 *     &#64;RpcMethod(timeout = "200ms", idempotent = true)
 *     User getUser(long id);
 *
 *

&#64;RpcMethod(oneWay = true)
 *     void touch(long id);
 *
 * }
 * }</pre>
 *
 * A default method with this annotation is a method of the service, which the
 * implementation may override. Without it the caller executes its body, on the proxy.
 *
 * <p>
 * On a method of the implementation only {@link #nonBlocking()} is allowed.
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcMethod {

	/**
	 * Sends calls without waiting for a reply. A call executes at most once, and the
	 * caller sees neither a result nor an exception of the implementation. A call that
	 * has reached the server executes although its connection ends before. It is dropped
	 * and logged if its timeout is over before a thread takes it, or if the server closes
	 * or has no memory left for its arguments. The method must return {@code void} and
	 * declare no exception.
	 * @return true if the method is one-way
	 */
	boolean oneWay() default false;

	/**
	 * Time allowed for a call of this method. It overrides the timeout of the reference.
	 * @return a number with unit ({@code us}, {@code ms}, {@code s}, {@code m},
	 * {@code h}) such as {@code 500ms}, or ISO-8601 such as {@code PT2S}; more than 0.
	 * Empty for the timeout of the reference. With Spring, placeholders and SpEL
	 * expressions are resolved by each client with its own properties
	 */
	String timeout() default "";

	/**
	 * Declares that executing the method more than once for one call has the same effect
	 * as executing it once. A failed call may then be repeated even if it may have
	 * executed. {@link #safe()} implies it. The options of a reference or a service
	 * override this value, each for its side.
	 * @return true if the method is idempotent
	 */
	boolean idempotent() default false;

	/**
	 * Declares that executing the method changes nothing, so that it is
	 * {@link #idempotent()}, too. It may then be called by HTTP's GET, which any page in
	 * a browser can send, without a question before and with the cookies of its visitor:
	 * the result must be the only effect. In {@code .proto} files it has
	 * {@code idempotency_level = NO_SIDE_EFFECTS}. No property sets or removes it.
	 * @return true if the method has no side effects
	 */
	boolean safe() default false;

	/**
	 * Hedges slow calls: a call that takes longer than 95 % of the recent ones goes to a
	 * second instance as well, and the first reply wins. Only for a method that is
	 * {@link #idempotent()}. Properties of the client override this value.
	 * @return true if slow calls are hedged
	 */
	boolean hedged() default false;

	/**
	 * Lets the server execute this method on the event loop of the connection, without a
	 * change of thread. Only for a method that never blocks and takes a few microseconds:
	 * all connections of the loop wait meanwhile. Properties of the server for the method
	 * or the service override this value.
	 * @return true if the method executes on the event loop
	 */
	boolean nonBlocking() default false;

	/**
	 * Name of this method in gRPC, which has no overloads. The native protocol does not
	 * use it. Clients of gRPC must know a change.
	 * @return letters, digits and '_', the first a letter, such as {@code FindByEmail}.
	 * Empty for the name of the method with a capital first letter
	 */
	String name() default "";

	/**
	 * Sends values over gRPC as messages themselves, as services of others have them: the
	 * only parameter is the request, the result is the response. Each is a class with
	 * fields, a choice of such classes, or a message that protobuf generates, and is
	 * never null. No parameter and no result are {@code google.protobuf.Empty}. Without
	 * it, a request has the parameters as its fields and a response the result, except
	 * for generated messages. The native protocol does not use it. Clients of gRPC must
	 * know a change.
	 * @return true if parameter and result are the messages
	 */
	boolean bare() default false;

}
