package io.rpcboot.internal.server.interceptor;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Refusal of a call by an interceptor that knows whether the implementation has begun.
 */
public final class CallRefusal extends RpcException {

	private static final long serialVersionUID = 1L;

	CallRefusal(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable Throwable cause) {
		super(status, message, mayHaveExecuted, null, cause);
	}

}
