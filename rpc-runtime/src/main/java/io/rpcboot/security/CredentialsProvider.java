package io.rpcboot.security;

/**
 * Provides the credentials of a client. The client asks when it has none, and again
 * before they expire. Thread-safe.
 *
 * <pre>{@code
 * CredentialsProvider provider = () -> Credentials.bearer(token.value()).until(token.end());
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CredentialsProvider {

	/**
	 * Returns valid credentials. May block; the client does not call it on an event loop,
	 * and by one thread at a time.
	 * @return the credentials
	 * @throws RuntimeException if there are none; connections that need them are tried
	 * again later
	 */
	Credentials get();

	/**
	 * Returns the choice of a reference that sends none of its own, and not those of its
	 * client.
	 * @return a constant
	 */
	static CredentialsProvider none() {
		return ChosenCredentials.NONE;
	}

	/**
	 * Returns the choice of a reference that sends those of its client, although it has
	 * other TLS.
	 * @return a constant
	 */
	static CredentialsProvider ofClient() {
		return ChosenCredentials.DEFAULT;
	}

}
