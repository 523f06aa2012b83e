package io.rpcboot.test;

import java.security.Principal;

import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** Users of Spring Security, which may be missing. */
final class AuthenticatedUser {

	private AuthenticatedUser() {
	}

	static Principal of(String name, String... authorities) {
		return UsernamePasswordAuthenticationToken.authenticated(name, null,
				AuthorityUtils.createAuthorityList(authorities));
	}

}
