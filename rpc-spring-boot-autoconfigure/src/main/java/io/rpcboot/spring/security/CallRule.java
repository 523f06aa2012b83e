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
 * @param decision what it decides, as text
 */
record CallRule(List<String> services, List<String> methods, AuthorizationManager<CallAuthorizationContext> manager,
		String decision) {

	static final List<String> ANY = List.of("*");

	/** Returns the rule as an application declares it. */
	String text() {
		return (this.services.equals(ANY) ? "anyCall()" : "services(%s)".formatted(String.join(", ", this.services)))
				+ (this.methods.equals(ANY) ? "" : ".methods(%s)".formatted(String.join(", ", this.methods))) + "."
				+ this.decision;
	}

	boolean matches(CallAuthorizationContext call) {
		return isService(this.services, call.service().name()) && isOneOf(this.methods, call.method());
	}

	/** Takes a nested interface by its name in Java, too, which has no dollar sign. */
	static boolean isService(List<String> patterns, String name) {
		return isOneOf(patterns, name) || (name.indexOf('$') > 0 && isOneOf(patterns, name.replace('$', '.')));
	}

	static boolean isOneOf(List<String> patterns, String name) {
		return PatternMatchUtils.simpleMatch(patterns.toArray(String[]::new), name);
	}

}
