package io.rpcboot.interceptor;

import java.time.Duration;
import java.util.function.Consumer;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.context.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way through the interceptors of a side. Each interceptor has its own view
 * of the call. The view stays valid after the interceptor has returned, so that it may
 * proceed later, from another thread.
 *
 * @since 0.1.0
 */
public interface RpcInvocation {

	/**
	 * Returns the called method.
	 * @return the method of the interface
	 */
	MethodDescriptor method();

	/**
	 * Returns the arguments of the call, one for each parameter. Changes of the array
	 * before {@link #proceed()} are seen by the next interceptor.
	 * @return the array itself
	 * @throws IllegalStateException at a server, before the arguments were deserialized
	 */
	@Nullable Object[] arguments();

	/**
	 * Returns the attachments that travel with the call.
	 * @return at the client mutable until the call proceeds, at the server the received
	 * ones
	 */
	Attachments attachments();

	/**
	 * Returns the time that is left until the deadline.
	 * @return 0 if the deadline has passed; about 292 years without a deadline
	 */
	Duration remaining();

	/**
	 * Sets the trace of the call, before it proceeds. Notes of slow and failed calls
	 * contain it, and {@link #traceId()} returns it.
	 * @param id id of the trace; notes contain at most 64 characters
	 */
	void traceId(String id);

	/**
	 * Returns the trace of the call.
	 * @return null if no interceptor has set it
	 */
	@Nullable String traceId();

	/**
	 * Proceeds to the next interceptor, or to the call itself.
	 * @return the result of the method: its value, its future, null for {@code void}
	 * @throws Throwable the exception of the method, or {@link io.rpcboot.RpcException}
	 * @throws IllegalStateException if the call has proceeded before and may have
	 * executed, unless the method is {@linkplain io.rpcboot.RpcMethod#idempotent()
	 * idempotent}
	 */
	@Nullable Object proceed() throws Throwable;

	/**
	 * Adds a listener for the end of the call. It is called once, for every kind of
	 * method, after all interceptors. A method that returns a stream ends with the stream
	 * of its first subscriber; without a subscriber it has no end. It cannot change the
	 * outcome; its exceptions are logged.
	 * @param listener called by the thread that ends the call, so it must not block
	 */
	void onEnd(Consumer<CallOutcome> listener);

	/**
	 * Adds a scope that the engine opens on its threads around code that belongs to the
	 * call and runs after the interceptors have returned. At a server that is callbacks
	 * of the futures of references, tasks of {@code wrap} of its context, end listeners
	 * and log lines of this call. At a client it is callbacks of the future of this call,
	 * so the scope is that of the calling code. An exception of the scope is logged.
	 * @param scope opened after the scopes that were added before
	 */
	void addScope(ThreadScope scope);

}
