package io.rpcboot.internal.server.call;

import java.util.function.Supplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
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
	void refused(MethodDescriptor method, CallerIdentity caller, AccessDenial why) {
		this.connection.refused(caller, method.service().toString(), method.signature(), why.status());
		log(method, () -> caller, why.status(), why.message());
	}

	/**
	 * Returns the answer to a call that an interceptor refuses.
	 * @param mayHaveExecuted true if the implementation or its advice may have begun
	 */
	ErrorResponse answer(MethodDescriptor method, Supplier<?> caller, CallRefusal refusal, boolean mayHaveExecuted) {
		String message = String.valueOf(refusal.getMessage());
		this.server.counts.refused(refusal.status());
		log(method, caller, refusal.status(), message);
		return ErrorResponse.refused(refusal.status(), message,
				mayHaveExecuted ? ErrorResponse.Run.MAYBE : ErrorResponse.Run.NO);
	}

	private void log(MethodDescriptor method, Supplier<?> caller, RpcStatus status, String why) {
		this.server.log.warn("Call refused", status,
				() -> "%s, %s, caller '%s': %s".formatted(this.connection.client(), method, caller.get(), why), null);
	}

}
