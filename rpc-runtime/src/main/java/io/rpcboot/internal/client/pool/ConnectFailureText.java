package io.rpcboot.internal.client.pool;

import java.util.regex.Pattern;

/** Text of a failed connect, without address and system call. */
final class ConnectFailureText {

	/** Failed system call in a message of the native transports. */
	private static final Pattern SYSTEM_CALL = Pattern
		.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ");

	/** Address at the end of a message. */
	private static final Pattern ADDRESS = Pattern.compile(": [^ ]*/[^ ]+:\\d+$");

	private ConnectFailureText() {
	}

	/** Returns the text of a failure, for example {@code Connection refused}. */
	static String of(Throwable failure) {
		String message = failure.getMessage();
		if (message == null || message.isBlank()) {
			return failure.getClass().getSimpleName();
		}
		return ADDRESS.matcher(SYSTEM_CALL.matcher(message).replaceFirst("")).replaceFirst("");
	}

}
