package io.rpcboot.internal.client.call;

import java.io.Serial;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import org.jspecify.annotations.Nullable;

/**
 * Failure without a stack trace whose message is made on demand. A frozen server fails
 * tens of thousands of calls at once on one event loop, so creating it must be cheap. A
 * future gets this exception; a blocking caller gets {@link #withStack()}.
 */
public final class LazyRpcException extends RpcException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Supplier<String> words;

	/**
	 * Create a failure.
	 * @param words makes the message from immutable values; any thread
	 */
	LazyRpcException(RpcStatus status, Supplier<String> words, boolean mayHaveExecuted, @Nullable String remoteType,
			Attachments attachments, String calledMethod) {
		super(status, mayHaveExecuted, remoteType, attachments.asMap(), calledMethod);
		this.words = words;
	}

	/** Creates the failure of a call. */
	static LazyRpcException of(ClientCall call, RpcStatus status, String what, Execution execution,
			@Nullable String remoteType, Attachments attachments) {
		BoundMethod method = call.method;
		Endpoint endpoint = CallTransport.endpoint(call.connection);
		int attempt = 1 + ((call.attempts != null) ? call.attempts.failed() : 0);
		long nanos = System.nanoTime() - call.startNanos;
		return new LazyRpcException(status,
				() -> FailureMessages.failed(method.name(), endpoint, status,
						(attempt == 1) ? what : "attempt " + attempt + ": " + what, nanos, execution.words),
				execution.mayHave(), remoteType, attachments, method.name());
	}

	@Override
	public String getMessage() {
		return this.words.get();
	}

	/** Returns the name of the public class and the message. */
	@Override
	public String toString() {
		return RpcException.class.getName() + ": " + getMessage();
	}

	/**
	 * Logs the failure and passes its attachments on, by the thread that has the caller's
	 * scopes.
	 * @param metadata of the call, null for none
	 * @return the failure to throw; that of a blocking call has the caller's stack trace
	 */
	RpcException reported(@Nullable CallMetadata metadata, boolean asynchronous) {
		FailureMessages.logged(this);
		if (metadata != null) {
			metadata.failed(this);
		}
		return asynchronous ? this : withStack();
	}

	/** Returns the same failure with the stack trace of the calling thread. */
	public RpcException withStack() {
		return new RpcException(status(), getMessage(), mayHaveExecuted(), remoteType(), getCause(), replyAttachments(),
				calledMethod());
	}

	@Serial
	private Object writeReplace() {
		return withStack();
	}

}
