package io.rpcboot.internal.protocol.grpc;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.Http2Error;

/**
 * Status of gRPC by its code, and for a call that ended with a status of HTTP instead.
 */
public final class GrpcStatus {

	private static final int LAST_CODE = 16;

	private static final List<String> TEXTS = IntStream.rangeClosed(0, LAST_CODE).mapToObj(String::valueOf).toList();

	private static final long UNIT_OF_TIMEOUTS = TimeUnit.MILLISECONDS.toNanos(1);

	private GrpcStatus() {
	}

	/** Returns the code of a status, that of UNKNOWN for APPLICATION and DECLARED. */
	public static int codeOf(RpcStatus status) {
		return (status.code() <= LAST_CODE) ? status.code() : RpcStatus.UNKNOWN.code();
	}

	/** Returns the value of {@code grpc-status}. */
	public static String format(RpcStatus status) {
		return TEXTS.get(codeOf(status));
	}

	/** Returns the status with a code, UNKNOWN for a code that gRPC does not have. */
	public static RpcStatus of(int code) {
		RpcStatus known = (code <= LAST_CODE) ? RpcStatus.ofCode(code) : null;
		return (known != null) ? known : RpcStatus.UNKNOWN;
	}

	/** Parses the value of {@code grpc-status}, UNKNOWN if it is malformed. */
	public static RpcStatus parse(String value) {
		return of(TEXTS.indexOf(value));
	}

	/**
	 * Returns the status of a response with {@code rpc-status}, which servers of this
	 * project add for the exceptions of an application.
	 */
	public static RpcStatus known(RpcStatus status, boolean isOfApplication) {
		return (status == RpcStatus.UNKNOWN && isOfApplication) ? RpcStatus.APPLICATION : status;
	}

	/**
	 * Returns the status for a response of HTTP that has no {@code grpc-status}; UNKNOWN
	 * for 200.
	 */
	public static RpcStatus ofHttp(int code) {
		return switch (code) {
			case 400 -> RpcStatus.INTERNAL;
			case 401 -> RpcStatus.UNAUTHENTICATED;
			case 403 -> RpcStatus.PERMISSION_DENIED;
			case 404 -> RpcStatus.UNIMPLEMENTED;
			case 429, 502, 503, 504 -> RpcStatus.UNAVAILABLE;
			default -> RpcStatus.UNKNOWN;
		};
	}

	/**
	 * Returns the status for a call that the server ends by RST_STREAM.
	 * @param remainingNanos time that the call has left. A server ends a call that is too
	 * late, and knows its time in milliseconds
	 */
	public static RpcStatus ofReset(Http2Error error, long remainingNanos) {
		return switch (error) {
			case REFUSED_STREAM -> RpcStatus.UNAVAILABLE;
			case CANCEL -> (remainingNanos < UNIT_OF_TIMEOUTS) ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED;
			case ENHANCE_YOUR_CALM -> RpcStatus.RESOURCE_EXHAUSTED;
			case INADEQUATE_SECURITY -> RpcStatus.PERMISSION_DENIED;
			case HTTP_1_1_REQUIRED -> RpcStatus.UNKNOWN; // gRPC does not define it
			default -> RpcStatus.INTERNAL;
		};
	}

}
