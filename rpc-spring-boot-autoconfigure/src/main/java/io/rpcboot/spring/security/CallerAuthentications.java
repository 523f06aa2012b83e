package io.rpcboot.spring.security;

import java.security.Principal;
import java.util.Collection;
import java.util.function.Function;

import io.rpcboot.context.CallerIdentity;

import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/** Makes the {@link Authentication} of callers. */
final class CallerAuthentications {

	private static final Authentication ANONYMOUS = new AnonymousAuthenticationToken("rpc", "anonymousUser",
			AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

	private final Function<CallerIdentity, Collection<? extends GrantedAuthority>> authorities;

	CallerAuthentications(Function<CallerIdentity, Collection<? extends GrantedAuthority>> authorities) {
		this.authorities = authorities;
	}

	/**
	 * Returns the authentication of a caller: that of its token, else a pre-authenticated
	 * one with the name of its certificate, else the anonymous one.
	 */
	Authentication of(CallerIdentity caller) {
		Principal principal = caller.principal();
		if (principal instanceof Authentication authentication) {
			return authentication;
		}
		if (!caller.isAuthenticated()) {
			return ANONYMOUS;
		}
		Object credentials = caller.certificates().isEmpty() ? "" : caller.certificates().get(0);
		return new PreAuthenticatedAuthenticationToken(caller.getName(), credentials, this.authorities.apply(caller));
	}

}
