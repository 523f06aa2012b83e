package io.rpcboot.internal.call;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reply of the client to a call of a callback.
 *
 * @param callback index among the callbacks of the method
 * @param method number of the method in the interface; {@link CallbackCall#UNKNOWN} if
 * the reply tells none
 * @param id number of the call
 * @param value the result; null for none and for a failure
 * @param failure null for a result
 */
public record CallbackReply(int callback, int method, long id, @Nullable Object value, @Nullable Failure failure) {

	/** Returns the reply to a call that has failed. */
	public static CallbackReply failed(CallbackCall call, Failure why) {
		return new CallbackReply(call.callback(), call.method(), call.id(), null, why);
	}

	/**
	 * Failure of a call.
	 *
	 * @param status status, one of gRPC or APPLICATION
	 * @param message text for the server
	 * @param thrown exception, which goes along if the method declares it; null without
	 * one
	 */
	public record Failure(RpcStatus status, String message, @Nullable Throwable thrown) {

		/** Returns the failure with a code; UNKNOWN stands for exceptions. */
		public static Failure of(int code, String message, @Nullable Throwable thrown) {
			RpcStatus known = RpcStatus.ofCode(code);
			boolean isOfGrpc = known != null && known != RpcStatus.UNKNOWN && known != RpcStatus.DECLARED;
			return new Failure((known != null && isOfGrpc) ? known : RpcStatus.APPLICATION, message, thrown);
		}

		/** Returns the code of gRPC. */
		public int code() {
			boolean isOwn = this.status == RpcStatus.APPLICATION || this.status == RpcStatus.DECLARED
					|| this.status == RpcStatus.OK;
			return isOwn ? RpcStatus.UNKNOWN.code() : this.status.code();
		}

	}

}
