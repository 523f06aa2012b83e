package io.rpcboot.security;

import io.rpcboot.context.CallerIdentity;

/**
 * Checks the credentials of clients at a server. The server asks once for credentials
 * that it does not know, on threads of its own, and remembers the answer for a minute at
 * most, or until the credentials expire. It asks again each minute for those of a
 * connection that stays open. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Authenticator {

	/**
	 * Returns the identity that credentials prove. May block.
	 * @param credentials what a client has sent; their scheme may be any
	 * @return the identity, such as {@link CallerIdentity#of}; the server adds the
	 * certificate of the connection
	 * @throws io.rpcboot.RpcException with UNAUTHENTICATED if they are not valid; with
	 * another status, such as UNAVAILABLE, if they cannot be checked now. The message is
	 * logged at the server; the client does not get it
	 */
	CallerIdentity authenticate(Credentials credentials);

}
