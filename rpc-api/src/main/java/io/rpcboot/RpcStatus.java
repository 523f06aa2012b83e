package io.rpcboot;

import org.jspecify.annotations.Nullable;

/**
 * The closed set of outcomes of a call. The numbers are those of gRPC where the meaning
 * is the same, so that a gateway can pass them on; {@link #APPLICATION} is ours.
 */
public enum RpcStatus {

	/** The call succeeded. */
	OK(0),

	/** The caller cancelled the call. Retry: the caller's decision. */
	CANCELLED(1),

	/**
	 * The arguments cannot be carried: too large, of a type outside the contract, or not
	 * readable by the server. Retry: never helps.
	 */
	INVALID_ARGUMENT(3),

	/** The deadline passed first. Retry: only when the method is idempotent. */
	DEADLINE_EXCEEDED(4),

	/** The server does not offer this service. Retry: elsewhere. */
	NOT_FOUND(5),

	/**
	 * The caller may not do this. For interceptors of applications. Retry: never helps.
	 */
	PERMISSION_DENIED(7),

	/**
	 * A bound is reached: pending calls, calls in flight, frame size. The call did not
	 * run. Retry: after a backoff.
	 */
	RESOURCE_EXHAUSTED(8),

	/**
	 * Client and server have different versions of the interface or of a type in it.
	 * Retry: only at another instance.
	 */
	FAILED_PRECONDITION(9),

	/** The service has no such method. Retry: never helps. */
	UNIMPLEMENTED(12),

	/** An error of the engine itself or bytes that break the protocol. */
	INTERNAL(13),

	/**
	 * No instance, or the connection to it was lost. The exception says whether the call
	 * may have executed. Retry: if it has not, or the method is idempotent.
	 */
	UNAVAILABLE(14),

	/**
	 * The call does not show who calls. For interceptors of applications. Retry: with
	 * valid credentials.
	 */
	UNAUTHENTICATED(16),

	/**
	 * The implementation of the service threw an exception that its interface does not
	 * declare. Retry: only when the method is idempotent.
	 */
	APPLICATION(64),

	/**
	 * The implementation of the service threw an exception that its interface declares:
	 * the caller has got that. For meters and load balancers; on the wire it is the
	 * number of {@link #APPLICATION} with a flag. Retry: the caller's decision.
	 */
	DECLARED(64);

	private final int code;

	RpcStatus(int code) {
		this.code = code;
	}

	/**
	 * The number on the wire.
	 * @return 0 to 65535
	 */
	public int code() {
		return this.code;
	}

	/**
	 * The status of a number from the wire.
	 * @param code the number
	 * @return the status, never {@link #DECLARED}, or null when this version does not
	 * know the number
	 */
	public static @Nullable RpcStatus ofCode(int code) {
		for (RpcStatus status : VALUES) {
			if (status.code == code) {
				return status;
			}
		}
		return null;
	}

	private static final RpcStatus[] VALUES = values();

}
