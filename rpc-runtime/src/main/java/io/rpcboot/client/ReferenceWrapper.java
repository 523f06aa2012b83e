package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;

/**
 * Invocation handler of a proxy around a reference. Lets {@link Broadcast#to} find the
 * reference behind the proxy. The wrapped handler executes a default method that is
 * {@linkplain io.rpcboot.ServiceDescriptor#isLocal local} on the given proxy, so that the
 * calls of its body pass this handler, too:
 *
 * <pre>{@code
 * record Timed(InvocationHandler wrapped) implements ReferenceWrapper {
 *
 *     public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
 *         long start = System.nanoTime();
 *         try {
 *             return this.wrapped.invoke(proxy, method, arguments);
 *         }
 *         finally {
 *             record(method, System.nanoTime() - start);
 *         }
 *     }
 *
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ReferenceWrapper extends InvocationHandler {

	/**
	 * Returns the handler to which this one passes its calls.
	 * @return the handler of a reference, or another wrapper
	 * @throws io.rpcboot.RpcException if this handler would not pass calls on
	 */
	InvocationHandler wrapped();

}
