package io.rpcboot.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;

/**
 * Secret that clients and servers share, sent as a bearer token. It proves that a client
 * knows the secret, not which client it is. Compared in constant time.
 *
 * @since 0.1.0
 */
public final class SharedSecret implements Authenticator, CredentialsProvider {

	/** Shortest secret in characters: 128 bits in base64 have 22. */
	public static final int MIN_LENGTH = 16;

	private static final Principal HOLDER = new Holder();

	private final Credentials credentials;

	private final byte[] digest;

	/**
	 * Creates a secret.
	 * @param secret at least {@value #MIN_LENGTH} visible characters of ASCII
	 * @throws RpcConfigurationException if it is shorter or has other characters
	 */
	public SharedSecret(String secret) {
		if (secret.length() < MIN_LENGTH) {
			throw new RpcConfigurationException(
					"Shared secret of %d characters (expected: at least %d)".formatted(secret.length(), MIN_LENGTH),
					"Make a secret with a tool, such as 'openssl rand -base64 32'.");
		}
		this.credentials = Credentials.bearer(secret);
		this.digest = digest(secret);
	}

	private record Holder() implements Principal {

		@Override
		public String getName() {
			return "shared-secret";
		}

	}

	private static byte[] digest(String text) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("each JVM has SHA-256", ex);
		}
	}

	@Override
	public CallerIdentity authenticate(Credentials given) {
		boolean isBearer = given.scheme().equalsIgnoreCase("Bearer");
		if (!MessageDigest.isEqual(this.digest, digest(given.value())) || !isBearer) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "another secret than that of rpc.server.auth.secret",
					false);
		}
		return CallerIdentity.of(HOLDER, Instant.MAX);
	}

	@Override
	public Credentials get() {
		return this.credentials;
	}

	/**
	 * Returns true for the principal of callers that know a secret. This process compares
	 * the secret, and needs no other system for it.
	 * @param principal any principal, null for none
	 * @return true if it is that of a secret
	 */
	public static boolean isHolder(@Nullable Principal principal) {
		return principal instanceof Holder;
	}

	/** Returns a text without the secret. */
	@Override
	public String toString() {
		return "shared secret";
	}

}
