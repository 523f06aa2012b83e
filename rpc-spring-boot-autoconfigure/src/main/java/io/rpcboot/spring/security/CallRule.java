package io.rpcboot.spring.security;

import java.util.List;

import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.util.PatternMatchUtils;

/**
 * Rule about calls. Names may have asterisks.
 *
 * @param services names of services
 * @param methods names of methods
 * @param manager decides about calls that match
 */
record CallRule(List<String> services, List<String> methods, AuthorizationManager<CallAuthorizationContext> manager) {

	boolean matches(CallAuthorizationContext call) {
		return isOneOf(this.services, call.service().name()) && isOneOf(this.methods, call.method());
	}

	static boolean isOneOf(List<String> patterns, String name) {
		return PatternMatchUtils.simpleMatch(patterns.toArray(String[]::new), name);
	}

}
