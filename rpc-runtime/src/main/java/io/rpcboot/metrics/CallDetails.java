package io.rpcboot.metrics;

import org.jspecify.annotations.Nullable;

/**
 * Details of a call that has ended, for recorders that note single calls. Valid while the
 * recorder is called; a recorder reads only what it notes.
 *
 * @since 0.1.0
 */
public interface CallDetails {

	/** Maximum of characters of a message that a recorder keeps. */
	int MAX_MESSAGE = 300;

	/**
	 * Returns the wait at the start of the call: on the server from decoding until a
	 * thread starts it, on the client until it is written to a connection, rounded down
	 * to milliseconds.
	 * @return nanoseconds, {@link Long#MAX_VALUE} for a call that was not started or
	 * written
	 */
	long waitedNanos();

	/**
	 * Returns the message of the failure: on the client that of the exception, on the
	 * server that of its answer.
	 * @return null for a call that has not failed
	 */
	@Nullable String message();

	/**
	 * Returns the message as recorders keep it.
	 * @return at most {@value #MAX_MESSAGE} characters, three dots at the end of a longer
	 * message; null for a call that has not failed
	 */
	default @Nullable String shortMessage() {
		String message = message();
		return (message == null || message.length() <= MAX_MESSAGE) ? message
				: message.substring(0, MAX_MESSAGE - 3) + "...";
	}

	/**
	 * Returns the class of the exception that the implementation has thrown.
	 * @return its name; null if there is none, or the server does not expose it
	 */
	@Nullable String exceptionType();

	/**
	 * Returns the trace of the call.
	 * @return null without a trace
	 */
	default @Nullable String traceId() {
		return null;
	}

	/**
	 * Returns the name that the caller has proved. Server only.
	 * @return null if the caller has proved none, or is not known
	 */
	default @Nullable String caller() {
		return null;
	}

}
