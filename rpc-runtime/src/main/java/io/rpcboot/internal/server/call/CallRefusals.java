package io.rpcboot.internal.server.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.interceptor.CallRefusal;
import io.rpcboot.internal.server.runtime.ServerResources;

/**
 * Counts and logs the calls of a connection whose caller may not make them. Any thread.
 */
final class CallRefusals {

	private final ServerTransport connection;

	private final ServerResources server;

	CallRefusals(ServerTransport connection, ServerResources server) {
		this.connection = connection;
		this.server = server;
	}

	/** Takes a call that rules or lists refuse, which have counted it. */
	void refused(ServerCall call, AccessDenial why) {
		log(call, why.status(), why.message());
	}

	/** Returns the answer to a call that an interceptor refuses. */
	ErrorResponse answer(ServerCall call, CallRefusal refusal) {
		String message = String.valueOf(refusal.getMessage());
		this.server.counts.refused(refusal.status());
		log(call, refusal.status(), message);
		call.invoked &= refusal.mayHaveExecuted();
		return ErrorResponse.refused(refusal.status(), message,
				call.invoked ? ErrorResponse.Run.MAYBE : ErrorResponse.Run.NO);
	}

	private void log(ServerCall call, RpcStatus status, String why) {
		this.server.log.warn("Call refused", status, () -> "%s, %s, caller '%s': %s".formatted(this.connection.client(),
				call.method.descriptor, call.context().caller(), why), null);
	}

}
