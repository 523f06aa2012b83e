package io.rpcboot.server;

import java.time.Duration;

import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;

/**
 * Result of the call of an operator.
 *
 * @param status OK, or why the call failed; a declared exception is {@code UNKNOWN}
 * @param json the result as an object of JSON; of a failed call the error of Connect:
 * {@code code}, {@code message} and {@code details}
 * @param attachments attachments of the response
 * @param took time that it took
 * @param mayHaveRun false if the method certainly did not run
 * @since 0.1.0
 */
public record InvokeResult(RpcStatus status, String json, Attachments attachments, Duration took, boolean mayHaveRun) {

	/** Returns status and time. */
	@Override
	public String toString() {
		return "%s in %d ms".formatted(this.status, this.took.toMillis());
	}

}
