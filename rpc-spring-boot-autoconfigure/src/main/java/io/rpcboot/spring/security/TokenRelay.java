package io.rpcboot.spring.security;

import java.security.Principal;

import io.rpcboot.context.RpcContext;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.AbstractOAuth2Token;

/**
 * Adds the bearer token of the caller to calls that have none: the token of the
 * connection of the served call, else that of the current security context, such as of an
 * HTTP request. For references that relay credentials only.
 */
final class TokenRelay implements RpcClientInterceptor {

	@Override
	public @Nullable Object intercept(ClientInvocation call) throws Throwable {
		if (call.attachments().get(Credentials.ATTACHMENT) == null) {
			RpcContext served = RpcContext.current();
			Principal caller = (served != null) ? served.caller().principal()
					: SecurityContextHolder.getContext().getAuthentication();
			if (caller instanceof Authentication known && known.getCredentials() instanceof AbstractOAuth2Token token) {
				call.attachments().put(Credentials.ATTACHMENT, "Bearer " + token.getTokenValue());
			}
		}
		return call.proceed();
	}

}
