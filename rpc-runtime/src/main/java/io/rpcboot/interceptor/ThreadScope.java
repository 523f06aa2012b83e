package io.rpcboot.interceptor;

/**
 * State of threads that belongs to a call, such as entries of the MDC or the current
 * span.
 *
 * @since 0.1.0
 * @see RpcInvocation#addScope
 */
@FunctionalInterface
public interface ThreadScope {

	/**
	 * Sets the state of the calling thread.
	 * @return restores the state that the thread had before; called by the same thread
	 */
	Runnable open();

}
