package io.rpcboot.internal.client.pool;

import java.util.regex.Pattern;

/** Why a connection could not be opened, without what its reader knows. */
final class ConnectFailureText {

	/** The call to the system that failed, as native transports name it. */
	private static final Pattern SYSTEM_CALL = Pattern
		.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ");

	/** The address, which stands before the problem wherever it is shown. */
	private static final Pattern ADDRESS = Pattern.compile(": [^ ]*/[^ ]+:\\d+$");

	private ConnectFailureText() {
	}

	/** For example {@code Connection refused}. */
	static String of(Throwable failure) {
		String message = failure.getMessage();
		if (message == null || message.isBlank()) {
			return failure.getClass().getSimpleName();
		}
		return ADDRESS.matcher(SYSTEM_CALL.matcher(message).replaceFirst("")).replaceFirst("");
	}

}
