package io.rpcboot.interceptor;

import java.time.Duration;

import io.rpcboot.Endpoint;
import org.jspecify.annotations.Nullable;

/** A call at the client. */
public interface ClientInvocation extends RpcInvocation {

	/**
	 * Set the time allowed for the call, from its start on. A call that is made for
	 * another one still has at most what that has left. After {@link #proceed()} it holds
	 * for the next time only.
	 * @param timeout more than 0
	 */
	void timeout(Duration timeout);

	/**
	 * How often the call has gone on to a server.
	 * @return 0 before the first time
	 */
	int attempts();

	/**
	 * Where the call was sent, or is to be sent, the last time.
	 * @return null while no instance was chosen
	 */
	@Nullable Endpoint endpoint();

}
