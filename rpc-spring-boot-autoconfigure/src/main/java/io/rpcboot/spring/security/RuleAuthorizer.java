package io.rpcboot.spring.security;

import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.Authorizer;
import org.jspecify.annotations.Nullable;

import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.util.function.SingletonSupplier;

/** Decides about calls by the first rule that matches. */
final class RuleAuthorizer implements Authorizer {

	private static final AuthorizationResult DENIED = new AuthorizationDecision(false);

	private final List<CallRule> rules;

	private final CallerAuthentications authentications;

	private final SecurityEvents events;

	RuleAuthorizer(List<CallRule> rules, CallerAuthentications authentications, SecurityEvents events) {
		this.rules = rules;
		this.authentications = authentications;
		this.events = events;
	}

	@Override
	public boolean permits(CallerIdentity caller, ServiceId service, String method) {
		CallAuthorizationContext call = new CallAuthorizationContext(caller, service, method);
		Supplier<Authentication> authentication = authentication(caller);
		CallRule rule = first(call);
		AuthorizationResult result = (rule != null) ? decide(rule, authentication, call) : null;
		if (result != null && result.isGranted()) {
			return true;
		}
		this.events.denied(authentication, call, (result != null) ? result : DENIED, rule);
		return false;
	}

	/**
	 * Returns true if a call is refused to every caller, or to those without a proof.
	 * Publishes no event.
	 * @param hasStrangers true if there may be callers without a proof
	 */
	boolean isRefused(ServiceId service, String method, boolean hasStrangers) {
		CallerIdentity stranger = CallerIdentity.anonymous();
		CallAuthorizationContext call = new CallAuthorizationContext(stranger, service, method);
		CallRule rule = first(call);
		if (rule == null || !hasStrangers) {
			return rule == null;
		}
		try {
			AuthorizationResult result = decide(rule, authentication(stranger), call);
			return result == null || !result.isGranted();
		}
		catch (RuntimeException ex) { // of a manager; a call would be refused, too
			return true;
		}
	}

	private Supplier<Authentication> authentication(CallerIdentity caller) {
		return SingletonSupplier.of(() -> this.authentications.of(caller));
	}

	private @Nullable CallRule first(CallAuthorizationContext call) {
		return this.rules.stream().filter((each) -> each.matches(call)).findFirst().orElse(null);
	}

	private static @Nullable AuthorizationResult decide(CallRule rule, Supplier<Authentication> authentication,
			CallAuthorizationContext call) {
		try {
			return rule.manager().authorize(authentication, call);
		}
		catch (AccessDeniedException ex) {
			return DENIED;
		}
	}

	@Override
	public List<String> rules(ServiceId service) {
		return this.rules.stream()
			.filter((each) -> CallRule.isOneOf(each.services(), service.name()))
			.map(CallRule::text)
			.toList();
	}

	List<CallRule> rules() {
		return this.rules;
	}

}
