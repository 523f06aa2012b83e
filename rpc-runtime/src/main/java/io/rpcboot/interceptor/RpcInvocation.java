package io.rpcboot.interceptor;

import java.time.Duration;
import java.util.function.Consumer;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.context.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way through the interceptors of a side. Each interceptor has its own
 * view of the call, which stays valid when it has returned: it may go on later, from
 * another thread.
 */
public interface RpcInvocation {

	/**
	 * What is called.
	 * @return the method of the interface
	 */
	MethodDescriptor method();

	/**
	 * The arguments of the call, one for each parameter. What is changed in the array
	 * before {@link #proceed()} is what the next one sees.
	 * @return the array itself
	 * @throws IllegalStateException at a server, before the arguments were read
	 */
	@Nullable Object[] arguments();

	/**
	 * What travels with the call to its implementation.
	 * @return at the client to be changed until the call proceeds, at the server what has
	 * arrived
	 */
	Attachments attachments();

	/**
	 * How long the caller still waits.
	 * @return 0 when it no longer does; some 292 years if it waits without end
	 */
	Duration remaining();

	/**
	 * Say to which trace the call belongs, before it goes on: the notes of slow and
	 * failed calls have it, and whoever asks {@link #traceId()}.
	 * @param id of the trace; what is over 64 characters is not noted
	 */
	void traceId(String id);

	/**
	 * To which trace the call belongs.
	 * @return null if no interceptor has said it
	 */
	@Nullable String traceId();

	/**
	 * Go on: the next interceptor, or the call itself.
	 * @return what the method returns: its value, its future, null for {@code void}
	 * @throws Throwable what the method throws, or {@link io.rpcboot.RpcException}
	 * @throws IllegalStateException if it went on before and may have executed, unless
	 * the method is {@linkplain io.rpcboot.RpcMethod#idempotent() idempotent}
	 */
	@Nullable Object proceed() throws Throwable;

	/**
	 * Ask to be told of the end of the call: once, in whatever way the method returns,
	 * after all interceptors. A listener can change nothing; what it throws is logged.
	 * @param listener run by the thread that ends the call, so it must not block
	 */
	void onEnd(Consumer<CallOutcome> listener);

}
