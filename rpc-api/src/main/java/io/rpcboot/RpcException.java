package io.rpcboot;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A call that did not end with its result or with an exception that the interface
 * declares. The message says which method, which endpoint, what happened, after how long,
 * and whether the call may have executed.
 */
public class RpcException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final RpcStatus status;

	private final boolean mayHaveExecuted;

	private final @Nullable String remoteType;

	private final Map<String, String> details;

	/**
	 * Create an exception.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message what happened, complete
	 * @param mayHaveExecuted false only if it is certain that the method did not run
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted) {
		this(status, message, mayHaveExecuted, null, null);
	}

	/**
	 * Create an exception.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message what happened, complete
	 * @param mayHaveExecuted false only if it is certain that the method did not run
	 * @param remoteType class name of what the implementation threw, null if it threw
	 * nothing
	 * @param cause the local cause, null if there is none
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable String remoteType,
			@Nullable Throwable cause) {
		this(status, message, mayHaveExecuted, remoteType, cause, Map.of());
	}

	/**
	 * Create an exception.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message what happened, complete
	 * @param mayHaveExecuted false only if it is certain that the method did not run
	 * @param remoteType class name of what the implementation threw, null if it threw
	 * nothing
	 * @param cause the local cause, null if there is none
	 * @param details what came with the answer, by name; empty if nothing
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable String remoteType,
			@Nullable Throwable cause, Map<String, String> details) {
		super(message, cause);
		this.status = status;
		this.mayHaveExecuted = mayHaveExecuted;
		this.remoteType = remoteType;
		this.details = Map.copyOf(details);
	}

	/**
	 * Create an exception without a stack trace, for the end of a call that no thread
	 * waits for: the trace would show the event loop.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param mayHaveExecuted false only if it is certain that the method did not run
	 * @param remoteType class name of what the implementation threw, null if it threw
	 * nothing
	 * @param details what came with the answer, by name; empty if nothing
	 */
	protected RpcException(RpcStatus status, boolean mayHaveExecuted, @Nullable String remoteType,
			Map<String, String> details) {
		super(null, null, true, false);
		this.status = status;
		this.mayHaveExecuted = mayHaveExecuted;
		this.remoteType = remoteType;
		this.details = Map.copyOf(details);
	}

	/**
	 * The outcome.
	 * @return never {@link RpcStatus#OK}
	 */
	public RpcStatus status() {
		return this.status;
	}

	/**
	 * Whether the method may have run at the server.
	 * @return false only if it is certain that it did not
	 */
	public boolean mayHaveExecuted() {
		return this.mayHaveExecuted;
	}

	/**
	 * The class name of the exception that the implementation threw. The name is text: no
	 * class is loaded by it.
	 * @return null unless {@link #status()} is {@link RpcStatus#APPLICATION}
	 */
	public @Nullable String remoteType() {
		return this.remoteType;
	}

	/**
	 * The attachments that the server has sent with its answer.
	 * @return by name, in lower case; unmodifiable; empty if none came
	 */
	public Map<String, String> details() {
		return this.details;
	}

}
