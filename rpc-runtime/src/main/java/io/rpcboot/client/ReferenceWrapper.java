package io.rpcboot.client;

import java.lang.reflect.InvocationHandler;

/**
 * Stands before the calls of a reference in a proxy of its own, and lets what is made for
 * references, such as {@link Broadcast}, find what is behind it.
 */
public interface ReferenceWrapper extends InvocationHandler {

	/**
	 * What this handler passes calls to.
	 * @return the handler of a reference, or one that stands before it, too
	 * @throws io.rpcboot.RpcException if the calls would not be passed on
	 */
	InvocationHandler wrapped();

}
