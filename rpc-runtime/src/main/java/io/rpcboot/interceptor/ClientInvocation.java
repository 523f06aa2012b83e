package io.rpcboot.interceptor;

import java.time.Duration;

import io.rpcboot.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A call at the client, as an {@link RpcClientInterceptor} sees it.
 *
 * @since 0.1.0
 */
public interface ClientInvocation extends RpcInvocation {

	/**
	 * Sets the timeout of the call, counted from its start. A call within another call
	 * has at most the remaining time of that call. After {@link #proceed()} the value
	 * holds for the next attempt only.
	 * @param timeout more than 0
	 */
	void timeout(Duration timeout);

	/**
	 * Returns the number of times that the call proceeded to a server.
	 * @return 0 before the first time
	 */
	int attempts();

	/**
	 * Returns the endpoint of the latest attempt.
	 * @return null while no instance was chosen
	 */
	@Nullable Endpoint endpoint();

}
