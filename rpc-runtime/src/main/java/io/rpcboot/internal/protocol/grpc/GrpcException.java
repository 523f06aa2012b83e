package io.rpcboot.internal.protocol.grpc;

import java.util.Locale;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.text.PrintableText;

/** Signals a call that violates gRPC or a limit. The call ends, its connection stays. */
public final class GrpcException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_MESSAGE = 1000;

	private final RpcStatus status;

	/** Creates the failure of a call; its message is cleaned and cut. */
	public GrpcException(RpcStatus status, String message) {
		super(PrintableText.of(message, MAX_MESSAGE), null, false, false);
		this.status = status;
	}

	/** Returns the exception for a message above the limit of its receiver. */
	public static GrpcException tooLong(String bytes, int limit, Side receiver) {
		return new GrpcException(RpcStatus.RESOURCE_EXHAUSTED,
				"rpc.%s.max-frame-size: the message takes %s bytes (expected: at most %d)"
					.formatted(receiver.name().toLowerCase(Locale.ROOT), bytes, limit));
	}

	/** Returns the status of the call. */
	public RpcStatus status() {
		return this.status;
	}

}
