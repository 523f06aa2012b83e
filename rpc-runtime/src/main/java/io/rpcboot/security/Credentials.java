package io.rpcboot.security;

import java.time.Instant;

import io.rpcboot.RpcConfigurationException;

/**
 * Credentials of a client, in the form of the header {@code Authorization} of HTTP: a
 * scheme and a value. Immutable. No text of this class contains the value.
 *
 * @since 0.1.0
 */
public final class Credentials {

	/**
	 * Name of the attachment that carries the credentials of a single call, over gRPC of
	 * the header.
	 */
	public static final String ATTACHMENT = "authorization";

	/** Longest header in characters: usual servers of HTTP take 8 KiB of all headers. */
	public static final int MAX_LENGTH = 8192;

	private final String header;

	private final Instant expiresAt;

	private Credentials(String header, Instant expiresAt) {
		this.header = header;
		this.expiresAt = expiresAt;
	}

	/**
	 * Returns a bearer token, RFC 6750.
	 * @param token the token: visible characters of ASCII
	 * @return the credentials, without an end
	 * @throws RpcConfigurationException if the token is empty, too long, or has other
	 * characters
	 */
	public static Credentials bearer(String token) {
		return of("Bearer " + token);
	}

	/**
	 * Returns credentials of any scheme.
	 * @param header scheme, a blank, value
	 * @return the credentials, without an end
	 * @throws RpcConfigurationException if it has another form, is longer than
	 * {@value #MAX_LENGTH} or has other characters than visible ones of ASCII
	 */
	public static Credentials of(String header) {
		int blank = header.indexOf(' ');
		boolean isText = header.chars().allMatch((each) -> each >= ' ' && each < 0x7f);
		if (blank < 1 || blank == header.length() - 1 || !isText || header.length() > MAX_LENGTH) {
			throw new RpcConfigurationException(
					"Credentials of %d characters (expected: a scheme, a blank and a value, at most %d characters of visible ASCII)"
						.formatted(header.length(), MAX_LENGTH),
					"Let the provider of credentials return a token such as an identity provider issues.");
		}
		return new Credentials(header, Instant.MAX);
	}

	/**
	 * Returns these credentials with an end.
	 * @param end time from which they are not valid
	 * @return the credentials
	 */
	public Credentials until(Instant end) {
		return new Credentials(this.header, end);
	}

	/**
	 * Returns the scheme.
	 * @return the scheme as it was written, such as {@code Bearer}
	 */
	public String scheme() {
		return this.header.substring(0, this.header.indexOf(' '));
	}

	/**
	 * Returns the value behind the scheme, which is secret.
	 * @return the value, without blanks around it
	 */
	public String value() {
		return this.header.substring(this.header.indexOf(' ') + 1).trim();
	}

	/**
	 * Returns scheme and value, which are secret.
	 * @return the text of the header
	 */
	public String header() {
		return this.header;
	}

	/**
	 * Returns the time from which they are not valid.
	 * @return the time, {@link Instant#MAX} for none
	 */
	public Instant expiresAt() {
		return this.expiresAt;
	}

	/** Returns scheme and length. */
	@Override
	public String toString() {
		return "%s credentials of %d characters".formatted(scheme(), value().length());
	}

}
