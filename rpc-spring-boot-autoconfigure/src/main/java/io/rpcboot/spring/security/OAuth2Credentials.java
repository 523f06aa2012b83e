package io.rpcboot.spring.security;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;

import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

/**
 * Access tokens of a client registration of Spring Security, as credentials of
 * connections. The manager requests a token, keeps it and replaces it before it expires.
 *
 * @since 0.1.0
 */
public final class OAuth2Credentials implements CredentialsProvider {

	private final OAuth2AuthorizedClientManager manager;

	private final OAuth2AuthorizeRequest request;

	/**
	 * Creates a provider.
	 * @param manager a manager that works outside of HTTP requests
	 * @param registration name of the registration
	 * @param principal name under which the manager keeps the token
	 */
	public OAuth2Credentials(OAuth2AuthorizedClientManager manager, String registration, String principal) {
		this.manager = manager;
		this.request = OAuth2AuthorizeRequest.withClientRegistrationId(registration).principal(principal).build();
	}

	@Override
	public Credentials get() {
		OAuth2AuthorizedClient client = this.manager.authorize(this.request);
		if (client == null) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED,
					"registration '%s' has a grant type that needs a user (expected: client_credentials)"
						.formatted(this.request.getClientRegistrationId()),
					false);
		}
		OAuth2AccessToken token = client.getAccessToken();
		Credentials credentials = Credentials.bearer(token.getTokenValue());
		return (token.getExpiresAt() != null) ? credentials.until(token.getExpiresAt()) : credentials;
	}

}
