package io.rpcboot;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Failure of a call that returned neither a result nor an exception that the interface
 * declares. The message names the method, the endpoint, the cause, the elapsed time, and
 * says if the method may have executed:
 *
 * <pre>{@code
 * try {
 *     return this.users.getUser(id);
 * }
 * catch (RpcException ex) {
 *     if (ex.status() == RpcStatus.UNAVAILABLE && !ex.mayHaveExecuted()) {
 *         return User.UNKNOWN;
 *     }
 *     throw ex;
 * }
 * }</pre>
 *
 * An interceptor or an implementation at the server creates and throws it to choose the
 * status, the text and the attachments of the reply.
 *
 * @since 0.1.0
 */
public class RpcException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final RpcStatus status;

	private final boolean mayHaveExecuted;

	private final @Nullable String remoteType;

	@SuppressWarnings("serial") // an unmodifiable map of the JDK
	private final Map<String, String> replyAttachments;

	private final @Nullable String calledMethod;

	/**
	 * Creates an exception.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message the complete message
	 * @param mayHaveExecuted false only if the method certainly did not execute
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted) {
		this(status, message, mayHaveExecuted, null, null);
	}

	/**
	 * Creates an exception.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message the complete message
	 * @param mayHaveExecuted false only if the method certainly did not execute
	 * @param remoteType class name of the exception of the implementation, null for none
	 * @param cause the local cause, null for none
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable String remoteType,
			@Nullable Throwable cause) {
		this(status, message, mayHaveExecuted, remoteType, cause, Map.of());
	}

	/**
	 * Creates an exception.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message the complete message
	 * @param mayHaveExecuted false only if the method certainly did not execute
	 * @param remoteType class name of the exception of the implementation, null for none
	 * @param cause the local cause, null for none
	 * @param replyAttachments attachments of the reply by name in lower case; empty for
	 * none
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable String remoteType,
			@Nullable Throwable cause, Map<String, String> replyAttachments) {
		this(status, message, mayHaveExecuted, remoteType, cause, replyAttachments, null);
	}

	/**
	 * Creates an exception for a call that this process made.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param message the complete message
	 * @param mayHaveExecuted false only if the method certainly did not execute
	 * @param remoteType class name of the exception of the implementation, null for none
	 * @param cause the local cause, null for none
	 * @param replyAttachments attachments of the reply by name in lower case; empty for
	 * none
	 * @param calledMethod service and signature of the called method, null for none
	 */
	public RpcException(RpcStatus status, String message, boolean mayHaveExecuted, @Nullable String remoteType,
			@Nullable Throwable cause, Map<String, String> replyAttachments, @Nullable String calledMethod) {
		super(message, cause);
		this.status = status;
		this.mayHaveExecuted = mayHaveExecuted;
		this.remoteType = remoteType;
		this.replyAttachments = Map.copyOf(replyAttachments);
		this.calledMethod = calledMethod;
	}

	/**
	 * Creates an exception without a stack trace, for a call that no thread waits for.
	 * The trace would show the event loop.
	 * @param status the outcome, not {@link RpcStatus#OK}
	 * @param mayHaveExecuted false only if the method certainly did not execute
	 * @param remoteType class name of the exception of the implementation, null for none
	 * @param replyAttachments attachments of the reply by name in lower case; empty for
	 * none
	 * @param calledMethod service and signature of the called method, null for none
	 */
	protected RpcException(RpcStatus status, boolean mayHaveExecuted, @Nullable String remoteType,
			Map<String, String> replyAttachments, @Nullable String calledMethod) {
		super(null, null, true, false);
		this.status = status;
		this.mayHaveExecuted = mayHaveExecuted;
		this.remoteType = remoteType;
		this.replyAttachments = Map.copyOf(replyAttachments);
		this.calledMethod = calledMethod;
	}

	/**
	 * Returns the outcome.
	 * @return the status, never {@link RpcStatus#OK}
	 */
	public RpcStatus status() {
		return this.status;
	}

	/**
	 * Returns true if the method may have executed at the server. A caller may repeat the
	 * call safely if it has not.
	 * @return false only if the method certainly did not execute
	 */
	public boolean mayHaveExecuted() {
		return this.mayHaveExecuted;
	}

	/**
	 * Returns the class name of the exception that the implementation threw. It is only
	 * text: no class is loaded by it.
	 * @return the class name; null unless {@link #status()} is
	 * {@link RpcStatus#APPLICATION}
	 */
	public @Nullable String remoteType() {
		return this.remoteType;
	}

	/**
	 * Returns the attachments of the reply.
	 * @return values by name in lower case; unmodifiable, empty if there are none
	 */
	public Map<String, String> replyAttachments() {
		return this.replyAttachments;
	}

	/**
	 * Returns the method whose call failed, if a client of this process made the call. An
	 * implementation that lets this exception pass answers its own caller with
	 * {@link RpcStatus#UNAVAILABLE} or {@link RpcStatus#DEADLINE_EXCEEDED}. What a client
	 * interceptor throws is a failure of the call; the client fills in the method, except
	 * for subclasses, which pass it to the constructor.
	 * @return service and signature; null for an exception that the application created
	 * outside of a call, which is the answer of the implementation that throws it
	 */
	public @Nullable String calledMethod() {
		return this.calledMethod;
	}

}
