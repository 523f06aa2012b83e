package io.rpcboot.internal.client.security;

import io.rpcboot.internal.transport.tls.TlsContext;
import org.jspecify.annotations.Nullable;

/**
 * Security of the connections of a pool.
 *
 * @param tls TLS of the connections, null for clear text
 * @param credentials credentials that they send, null for none
 * @param requiresTls true if credentials must not travel over clear text, also those of
 * single calls
 */
public record ConnectionSecurity(@Nullable TlsContext tls, @Nullable CachedCredentials credentials,
		boolean requiresTls) {

	/** Clear text without credentials. */
	public static final ConnectionSecurity NONE = new ConnectionSecurity(null, null, false);

	/**
	 * Returns why an open connection must not be used.
	 * @param isEncrypted true if it has TLS
	 * @return null if it may be used
	 */
	public @Nullable String problem(boolean isEncrypted) {
		return (this.requiresTls && !isEncrypted)
				? "the connection is clear text, over which no credentials are sent; set rpc.client.ssl.bundle" : null;
	}

}
