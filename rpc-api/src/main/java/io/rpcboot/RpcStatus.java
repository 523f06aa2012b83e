package io.rpcboot;

import org.jspecify.annotations.Nullable;

/**
 * Outcome of a call. The set is closed. Codes are those of gRPC where the meaning is the
 * same, so that a gateway can pass them on; the code of {@link #APPLICATION} and
 * {@link #DECLARED} is not of gRPC.
 *
 * @since 0.1.0
 */
public enum RpcStatus {

	/** The call succeeded. */
	OK(0),

	/** The caller cancelled the call. Retry: the caller's decision. */
	CANCELLED(1),

	/**
	 * The implementation failed without a status that says more. Interceptors and
	 * implementations use it, and so do servers of gRPC for exceptions, as
	 * {@link #APPLICATION} here. Retry: only if the method is idempotent.
	 */
	UNKNOWN(2),

	/**
	 * The arguments are too large, of a type outside the contract, or not readable by the
	 * server. Retry: never helps.
	 */
	INVALID_ARGUMENT(3),

	/** The deadline passed before the reply. Retry: only if the method is idempotent. */
	DEADLINE_EXCEEDED(4),

	/** The server does not offer this service. Retry: elsewhere. */
	NOT_FOUND(5),

	/**
	 * The entity that the call creates exists already. Implementations use it. Retry:
	 * never helps.
	 */
	ALREADY_EXISTS(6),

	/**
	 * The caller has no permission for the call. Interceptors of applications use it.
	 * Retry: never helps.
	 */
	PERMISSION_DENIED(7),

	/**
	 * A limit is reached: pending calls, calls in flight, frame size. The method did not
	 * execute. Retry: after a backoff.
	 */
	RESOURCE_EXHAUSTED(8),

	/**
	 * Client and server have different versions of the interface or of a type in it.
	 * Retry: only at another instance.
	 */
	FAILED_PRECONDITION(9),

	/**
	 * The call conflicts with a concurrent one, such as the commit of a transaction.
	 * Implementations use it. Retry: from the read that the call relies on.
	 */
	ABORTED(10),

	/**
	 * The call reads or writes beyond the end of something. Implementations use it.
	 * Retry: never helps.
	 */
	OUT_OF_RANGE(11),

	/** The service has no such method. Retry: never helps. */
	UNIMPLEMENTED(12),

	/** The engine failed, or a peer violated the protocol. */
	INTERNAL(13),

	/**
	 * No instance is available, or the connection was lost. Retry: if the method has not
	 * executed ({@link RpcException#mayHaveExecuted()}) or is idempotent.
	 */
	UNAVAILABLE(14),

	/**
	 * Data is lost or corrupt beyond repair. Implementations use it. Retry: never helps.
	 */
	DATA_LOSS(15),

	/**
	 * The call has no valid credentials. Interceptors of applications use it. Retry: with
	 * valid credentials.
	 */
	UNAUTHENTICATED(16),

	/**
	 * The implementation of the service threw an exception that its interface does not
	 * declare. Retry: only if the method is idempotent.
	 */
	APPLICATION(64),

	/**
	 * The implementation of the service threw an exception that its interface declares,
	 * and the caller gets that exception. Meters, load balancers and interceptors see
	 * this status; on the wire it is the code of {@link #APPLICATION} with a flag. Retry:
	 * the caller's decision.
	 */
	DECLARED(64);

	private final int code;

	RpcStatus(int code) {
		this.code = code;
	}

	/**
	 * Returns the code on the wire.
	 * @return 0 to 65535
	 */
	public int code() {
		return this.code;
	}

	/**
	 * Returns the status of a code from the wire.
	 * @param code the code
	 * @return the status, never {@link #DECLARED}; null if this version does not know the
	 * code
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
