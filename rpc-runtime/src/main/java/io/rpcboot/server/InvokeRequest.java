package io.rpcboot.server;

import java.time.Duration;

import io.rpcboot.ServiceId;
import io.rpcboot.context.Attachments;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Call of an operator. No text of this class contains arguments, attachments or
 * credentials.
 *
 * @param service the service
 * @param method signature of the method, such as {@code greet(java.lang.String)}, or its
 * name
 * @param arguments parameters by their names, as an object of JSON
 * @param deadline time allowed, 1 ms to {@link #MAX_DEADLINE}
 * @param attachments attachments of the request
 * @param credentials credentials of the operator, null for none
 * @since 0.1.0
 */
public record InvokeRequest(ServiceId service, String method, String arguments, Duration deadline,
		Attachments attachments, @Nullable Credentials credentials) {

	/** Usual time allowed. */
	public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);

	/** Longest time allowed. */
	public static final Duration MAX_DEADLINE = Duration.ofSeconds(60);

	/**
	 * Creates a request.
	 * @throws IllegalArgumentException if the deadline is out of range, or credentials
	 * are among the attachments
	 */
	public InvokeRequest {
		if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(MAX_DEADLINE) > 0) {
			throw new IllegalArgumentException(
					"deadline: %s (expected: 1ms to %ds)".formatted(deadline, MAX_DEADLINE.toSeconds()));
		}
		if (attachments.get(Credentials.ATTACHMENT) != null) {
			throw new IllegalArgumentException(
					"attachment %s (expected: as credentials)".formatted(Credentials.ATTACHMENT));
		}
	}

	/** Returns service and method. */
	@Override
	public String toString() {
		return this.service + "/" + this.method;
	}

}
