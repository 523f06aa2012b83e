package io.rpcboot.spring.autoconfigure.server;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Authorizer;
import io.rpcboot.security.Credentials;
import io.rpcboot.spring.autoconfigure.properties.SharedSecretProperty;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties.Auth;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Options of access to the server: the shared secret of the properties, and the
 * {@link Authenticator} and {@link Authorizer} beans.
 */
final class ServerAccess {

	private static final String SECRET = RpcServerFactory.PREFIX + "auth.secret";

	private final Auth properties;

	private final ObjectProvider<Authenticator> authenticators;

	private final ObjectProvider<Authorizer> authorizers;

	ServerAccess(Auth properties, ObjectProvider<Authenticator> authenticators,
			ObjectProvider<Authorizer> authorizers) {
		this.properties = properties;
		this.authenticators = authenticators;
		this.authorizers = authorizers;
	}

	/**
	 * Returns the options. One authenticator has to accept the credentials of a client,
	 * the secret first, and all authorizers have to permit its calls.
	 */
	AccessOptions options() {
		AccessOptions options = AccessOptions.defaults().withClearTextCredentials(this.properties.allowClearText());
		List<Authenticator> known = new ArrayList<>();
		if (!this.properties.secret().isEmpty()) {
			known.add(SharedSecretProperty.of(SECRET, this.properties.secret(),
					"Set %s to a secret of a tool, such as 'openssl rand -base64 32'.".formatted(SECRET)));
		}
		this.authenticators.orderedStream().forEach(known::add);
		if (!known.isEmpty()) {
			options = options.withAuthenticator((credentials) -> anyOf(known, credentials));
		}
		List<Authorizer> rules = this.authorizers.orderedStream().toList();
		return rules.isEmpty() ? options : options.withAuthorizer(
				(caller, service, method) -> rules.stream().allMatch((each) -> each.permits(caller, service, method)));
	}

	/** Asks in turn. A check that was not possible outweighs a refusal. */
	private static CallerIdentity anyOf(List<Authenticator> known, Credentials credentials) {
		RpcException failure = new RpcException(RpcStatus.UNAUTHENTICATED, "no authenticator", false);
		for (Authenticator each : known) {
			try {
				return each.authenticate(credentials);
			}
			catch (RpcException ex) {
				failure = (failure.status() == RpcStatus.UNAUTHENTICATED) ? ex : failure;
			}
		}
		throw failure;
	}

}
