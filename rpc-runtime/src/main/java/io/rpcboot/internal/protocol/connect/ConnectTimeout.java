package io.rpcboot.internal.protocol.connect;

import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.GrpcException;

/** Value of {@code connect-timeout-ms}: milliseconds, a number of 1 to 10 digits. */
public final class ConnectTimeout {

	private static final int MAX_DIGITS = 10;

	private ConnectTimeout() {
	}

	/**
	 * Parses a timeout.
	 * @return nanoseconds, 0 or more
	 * @throws GrpcException if it is malformed
	 */
	public static long parse(String value) {
		boolean valid = !value.isEmpty() && value.length() <= MAX_DIGITS
				&& value.chars().allMatch((c) -> c >= '0' && c <= '9');
		if (!valid) {
			throw new GrpcException(RpcStatus.INVALID_ARGUMENT,
					"connect-timeout-ms: '%s' (expected: 1 to 10 digits)".formatted(value));
		}
		return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(value));
	}

}
