package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Policy of one method, on the method of the interface, so that client and server agree.
 * On a method of the implementation only {@link #nonBlocking()} may be set.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RpcMethod {

	/**
	 * Send the call and do not wait for an answer: at most once, no result, no exception
	 * of the implementation. The method must return {@code void} and declare no checked
	 * exception.
	 * @return true for one-way
	 */
	boolean oneWay() default false;

	/**
	 * Timeout of this method, written as Spring writes durations in properties
	 * ({@code 500ms}, {@code 2s}) or as ISO-8601. Overrides the timeout of the reference.
	 * @return empty for the timeout of the reference
	 */
	String timeout() default "";

	/**
	 * Declare that the method may run more than once for one call and does the same then
	 * as if it had run once: whoever has a reason may call it again although it may have
	 * run. The options of a reference or a service may say otherwise, each for its side.
	 * @return true if it may
	 */
	boolean idempotent() default false;

	/**
	 * Send a call that takes longer than 95 % of the recent ones to a second instance,
	 * too; the answer that comes first is the caller's. Only for a method that is
	 * {@link #idempotent()}. Properties of the client go before it.
	 * @return true to send it twice
	 */
	boolean hedged() default false;

	/**
	 * Let the server run this method on the event loop of its connection, with no change
	 * of thread. Only for a method that never blocks and takes a few microseconds: while
	 * it runs, every connection on its loop waits. What the server's properties say of
	 * the method or of its service goes before it.
	 * @return true to run it on the event loop
	 */
	boolean nonBlocking() default false;

}
