package io.rpcboot.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Stands around the calls of a server, on the thread that runs the implementation. An
 * {@link io.rpcboot.RpcException} that it throws itself becomes the answer with its
 * status and message; any other exception is treated as one of the implementation.
 * Thread-safe.
 */
@FunctionalInterface
public interface RpcServerInterceptor {

	/** Where an interceptor stands. */
	enum Position {

		/** Before the arguments are read: for what needs none of them, as who calls. */
		BEFORE_ARGUMENTS,

		/** Around the implementation, with its arguments. */
		AROUND_IMPLEMENTATION

	}

	/**
	 * A call has arrived.
	 * @param invocation the call
	 * @return what is sent back: a value of the type that the method returns, a future if
	 * it returns one, null for {@code void}; most often what
	 * {@link RpcInvocation#proceed()} has returned
	 * @throws Throwable what is sent back in place of that
	 */
	@Nullable Object intercept(ServerInvocation invocation) throws Throwable;

	/**
	 * Where it stands. Asked once for each service.
	 * @return around the implementation
	 */
	default Position position() {
		return Position.AROUND_IMPLEMENTATION;
	}

}
