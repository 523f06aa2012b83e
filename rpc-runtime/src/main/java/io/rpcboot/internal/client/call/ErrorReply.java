package io.rpcboot.internal.client.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.resilience.RetryAdvice;
import org.jspecify.annotations.Nullable;

/**
 * Reply that is neither a result nor a declared exception.
 *
 * @param status status of the call, INTERNAL for a code that this version does not know
 * @param execution NONE if another server may run the call, REFUSED if none may
 * @param type type that the implementation threw, empty if it threw nothing
 * @param message message of the error
 * @param attachments attachments of the reply, with the server's advice on retries
 */
public record ErrorReply(RpcStatus status, Execution execution, String type, String message, Attachments attachments) {

	/**
	 * Returns what the failure says of the execution. An answer that ends all attempts is
	 * that of a call behind the method or of code around it, so the method may have run.
	 */
	Execution told() {
		boolean isFinal = RetryAdvice.of(this.attachments) < 0;
		return (isFinal && this.execution == Execution.CERTAIN) ? Execution.POSSIBLE : this.execution;
	}

	/** Returns the type that the implementation threw, null if it threw nothing. */
	@Nullable String remoteType() {
		return this.type.isEmpty() ? null : this.type;
	}

	/** Returns type and message as text. */
	String text() {
		return this.type.isEmpty() ? this.message : this.type + ": " + this.message;
	}

}
