package io.rpcboot.internal.client.call;

import java.io.Serial;
import java.util.function.Supplier;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a future, and of a blocking call until its caller wakes up. When a
 * server stands still, tens of thousands of calls end in the same moment on one event
 * loop: so it has no stack trace, which would show that loop, and its message is made
 * when somebody reads it.
 */
public final class LazyRpcException extends RpcException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Supplier<String> words;

	/**
	 * Create a failure.
	 * @param words makes the message, on any thread, from what does not change any more
	 */
	LazyRpcException(RpcStatus status, Supplier<String> words, boolean mayHaveExecuted, @Nullable String remoteType,
			Attachments attachments) {
		super(status, mayHaveExecuted, remoteType, attachments.asMap());
		this.words = words;
	}

	@Override
	public String getMessage() {
		return this.words.get();
	}

	/** As users know it. */
	@Override
	public String toString() {
		return RpcException.class.getName() + ": " + getMessage();
	}

	/** Itself for a future; for a blocking call the same with the stack of its caller. */
	RpcException endOf(ClientCall call) {
		if (call.context != null) {
			call.context.failed(this);
		}
		return call.isAsynchronous() ? this : withStack();
	}

	private RpcException withStack() {
		return new RpcException(status(), getMessage(), mayHaveExecuted(), remoteType(), getCause(), details());
	}

	@Serial
	private Object writeReplace() {
		return withStack();
	}

}
