package io.rpcboot.internal.protocol.grpc;

import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;

/** Value of {@code grpc-timeout}: a number of 1 to 8 digits and a unit. */
public final class GrpcTimeout {

	private static final int MAX_DIGITS = 8;

	private static final long MAX_NUMBER = 99_999_999;

	private GrpcTimeout() {
	}

	/**
	 * Parses a timeout.
	 * @return nanoseconds, 0 or more; {@link Long#MAX_VALUE} from 292 years on
	 * @throws GrpcException if it is malformed
	 */
	public static long parse(String value) {
		int digits = value.length() - 1;
		boolean valid = digits >= 1 && digits <= MAX_DIGITS;
		long number = 0;
		for (int i = 0; i < digits && valid; i++) {
			int digit = value.charAt(i) - '0';
			valid = digit >= 0 && digit <= 9;
			number = number * 10 + digit;
		}
		TimeUnit unit = !valid ? null : switch (value.charAt(digits)) {
			case 'H' -> TimeUnit.HOURS;
			case 'M' -> TimeUnit.MINUTES;
			case 'S' -> TimeUnit.SECONDS;
			case 'm' -> TimeUnit.MILLISECONDS;
			case 'u' -> TimeUnit.MICROSECONDS;
			case 'n' -> TimeUnit.NANOSECONDS;
			default -> null;
		};
		if (unit == null) {
			throw new GrpcException(RpcStatus.INTERNAL,
					"grpc-timeout: '%s' (expected: 1 to 8 digits and H, M, S, m, u or n)".formatted(value));
		}
		return unit.toNanos(number);
	}

	/**
	 * Formats nanoseconds, rounded up to milliseconds, or to the first larger unit of
	 * which 8 digits suffice. A negative number counts as 0.
	 */
	public static String format(long nanos) {
		long millis = up(Math.max(0, nanos), TimeUnit.MILLISECONDS.toNanos(1));
		if (millis <= MAX_NUMBER) {
			return millis + "m";
		}
		long seconds = up(millis, 1000);
		long minutes = up(seconds, 60);
		return (seconds <= MAX_NUMBER) ? seconds + "S"
				: (minutes <= MAX_NUMBER) ? minutes + "M" : up(minutes, 60) + "H";
	}

	private static long up(long number, long unit) {
		return number / unit + ((number % unit != 0) ? 1 : 0);
	}

}
