package io.rpcboot.spring.security;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Credentials;

import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.util.ClassUtils;

/** Checks credentials by managers of Spring Security. */
final class SpringAuthenticator implements Authenticator {

	/** Token of RFC 6750. */
	private static final Pattern TOKEN = Pattern.compile("[a-zA-Z0-9-._~+/]+=*");

	private static final boolean HAS_TOKENS = ClassUtils.isPresent(
			"org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken",
			SpringAuthenticator.class.getClassLoader());

	private final AuthenticationManagerResolver<Credentials> managers;

	private final SecurityEvents events;

	SpringAuthenticator(AuthenticationManagerResolver<Credentials> managers, SecurityEvents events) {
		this.managers = managers;
		this.events = events;
	}

	@Override
	public CallerIdentity authenticate(Credentials credentials) {
		try {
			Authentication caller = this.managers.resolve(credentials).authenticate(request(credentials));
			if (caller == null || !caller.isAuthenticated()) {
				throw new BadCredentialsException("the manager has not authenticated the caller");
			}
			this.events.authenticated(caller);
			return CallerIdentity.of(caller, HAS_TOKENS ? Tokens.end(caller) : Instant.MAX);
		}
		catch (AuthenticationServiceException ex) {
			throw failure(RpcStatus.UNAVAILABLE, credentials, ex);
		}
		catch (AuthenticationException ex) {
			throw failure(RpcStatus.UNAUTHENTICATED, credentials, ex);
		}
	}

	private static Authentication request(Credentials credentials) {
		String scheme = credentials.scheme().toLowerCase(Locale.ROOT);
		String value = credentials.header().substring(scheme.length() + 1).stripTrailing();
		if (scheme.equals("bearer") && HAS_TOKENS) {
			if (!TOKEN.matcher(value).matches()) {
				throw new BadCredentialsException("Bearer credentials that are no token of RFC 6750");
			}
			return Tokens.request(value);
		}
		if (scheme.equals("basic")) {
			return basic(value);
		}
		throw new BadCredentialsException("scheme '%s' (expected: Basic, or Bearer with %s on the class path)"
			.formatted(credentials.scheme(), "spring-security-oauth2-resource-server"));
	}

	private static Authentication basic(String value) {
		try {
			String text = new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
			int colon = text.indexOf(':');
			if (colon >= 0) {
				return UsernamePasswordAuthenticationToken.unauthenticated(text.substring(0, colon),
						text.substring(colon + 1));
			}
		}
		catch (IllegalArgumentException ex) {
			throw new BadCredentialsException("Basic credentials that are not Base64");
		}
		throw new BadCredentialsException("Basic credentials without a colon");
	}

	private RpcException failure(RpcStatus status, Credentials credentials, AuthenticationException cause) {
		this.events.failed(cause, credentials.toString());
		return new RpcException(status, String.valueOf(cause.getMessage()), false);
	}

	/** Tokens of OAuth 2, whose classes are optional. */
	private static final class Tokens {

		static Authentication request(String token) {
			return new BearerTokenAuthenticationToken(token);
		}

		static Instant end(Authentication caller) {
			OAuth2Token token = (caller instanceof AbstractOAuth2TokenAuthenticationToken<?> of) ? of.getToken() : null;
			Instant end = (token != null) ? token.getExpiresAt() : null;
			return (end != null) ? end : Instant.MAX;
		}

	}

}
