package io.rpcboot.client;

/**
 * Policy for an asynchronous call when {@link RpcClientBuilder#maxPendingCalls} is
 * reached; calls that wait for a grant of their server count. A blocking call waits until
 * its deadline under each policy; on a callback thread it fails at once, because the call
 * that would make room may be queued behind it.
 *
 * @since 0.1.0
 */
public enum OverflowPolicy {

	/**
	 * The call fails at once with {@link io.rpcboot.RpcStatus#RESOURCE_EXHAUSTED} and
	 * does not execute.
	 */
	FAIL,

	/**
	 * The call waits until its deadline in a queue of at most
	 * {@link RpcClientBuilder#maxPendingCalls} calls; if the queue is full, it fails as
	 * with {@link #FAIL}.
	 */
	QUEUE,

	/**
	 * The calling thread waits for a permit until the deadline of the call. On event
	 * loops and callback threads, which other calls need, the policy is {@link #QUEUE}.
	 */
	BLOCK

}
