package io.rpcboot.spring.security;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationManagerFactory;

/**
 * Rules about calls, in the manner of {@code authorizeHttpRequests}: the first rule that
 * matches a call decides about it, and a call without a rule is denied.
 *
 * @since 0.1.0
 */
public final class CallRules {

	private final AuthorizationManagerFactory<CallAuthorizationContext> managers;

	private final List<CallRule> rules = new ArrayList<>();

	/** Matcher without a decision; null if all have one. */
	private @Nullable Calls open;

	private boolean complete;

	CallRules(AuthorizationManagerFactory<CallAuthorizationContext> managers) {
		this.managers = managers;
	}

	/**
	 * Begins a rule for calls of services.
	 * @param interfaces interfaces of the services, in all versions and groups
	 * @return the calls
	 */
	public Calls services(Class<?>... interfaces) {
		return begin(Stream.of(interfaces).map(Class::getName).toList());
	}

	/**
	 * Begins a rule for calls of services.
	 * @param patterns names of interfaces, or of services of gRPC such as
	 * {@code grpc.health.v1.Health}; an asterisk stands for any characters
	 * @return the calls
	 */
	public Calls services(String... patterns) {
		return begin(List.of(patterns));
	}

	/**
	 * Begins the last rule, for all other calls.
	 * @return the calls
	 */
	public Calls anyCall() {
		Calls calls = begin(CallRule.ANY);
		this.complete = true;
		return calls;
	}

	private Calls begin(List<String> services) {
		requireDecision();
		if (this.complete) {
			throw new RpcConfigurationException("RpcSecurity: a rule for %s comes after anyCall()".formatted(services),
					"Move anyCall() to the end.");
		}
		Calls calls = new Calls(services);
		this.open = calls;
		return calls;
	}

	private void requireDecision() {
		if (this.open != null) {
			throw new RpcConfigurationException(
					"RpcSecurity: the rule for %s decides nothing".formatted(this.open.services),
					"Add permitAll(), denyAll(), authenticated(), hasAuthority(...) or another decision.");
		}
	}

	List<CallRule> rules() {
		requireDecision();
		return List.copyOf(this.rules);
	}

	/**
	 * Calls of a rule. One of the methods that return the rules ends the rule.
	 *
	 * @since 0.1.0
	 */
	public final class Calls {

		private final List<String> services;

		private List<String> methods = CallRule.ANY;

		private Calls(List<String> services) {
			this.services = services;
		}

		/**
		 * Limits the rule to methods.
		 * @param names names of methods; an asterisk stands for any characters
		 * @return this
		 */
		public Calls methods(String... names) {
			this.methods = List.of(names);
			return this;
		}

		/**
		 * Permits the calls.
		 * @return the rules
		 */
		public CallRules permitAll() {
			return decide(CallRules.this.managers.permitAll(), "permitAll");
		}

		/**
		 * Denies the calls.
		 * @return the rules
		 */
		public CallRules denyAll() {
			return decide(CallRules.this.managers.denyAll(), "denyAll");
		}

		/**
		 * Permits the calls of callers with a certificate or valid credentials.
		 * @return the rules
		 */
		public CallRules authenticated() {
			return decide(CallRules.this.managers.authenticated(), "authenticated");
		}

		/**
		 * Permits the calls of callers with a name in their certificate.
		 * @param names URIs such as SPIFFE ids, DNS names, common names; an asterisk
		 * stands for any characters
		 * @return the rules
		 */
		public CallRules hasCertificate(String... names) {
			List<String> allowed = List.of(names);
			return decide(
					(any, call) -> new AuthorizationDecision(
							call.caller().names().stream().anyMatch((each) -> CallRule.isOneOf(allowed, each))),
					"hasCertificate", names);
		}

		/**
		 * Permits the calls of callers with a role.
		 * @param role the role without {@code ROLE_}
		 * @return the rules
		 */
		public CallRules hasRole(String role) {
			return decide(CallRules.this.managers.hasRole(role), "hasRole", role);
		}

		/**
		 * Permits the calls of callers with one of several roles.
		 * @param roles the roles without {@code ROLE_}
		 * @return the rules
		 */
		public CallRules hasAnyRole(String... roles) {
			return decide(CallRules.this.managers.hasAnyRole(roles), "hasAnyRole", roles);
		}

		/**
		 * Permits the calls of callers with an authority.
		 * @param authority the authority, such as {@code SCOPE_orders}
		 * @return the rules
		 */
		public CallRules hasAuthority(String authority) {
			return decide(CallRules.this.managers.hasAuthority(authority), "hasAuthority", authority);
		}

		/**
		 * Permits the calls of callers with one of several authorities.
		 * @param authorities the authorities
		 * @return the rules
		 */
		public CallRules hasAnyAuthority(String... authorities) {
			return decide(CallRules.this.managers.hasAnyAuthority(authorities), "hasAnyAuthority", authorities);
		}

		/**
		 * Lets a manager decide about the calls.
		 * @param manager must not block, because event loops ask it; null as its result
		 * denies the call
		 * @return the rules
		 */
		public CallRules access(AuthorizationManager<CallAuthorizationContext> manager) {
			return decide(manager, "access", "...");
		}

		private CallRules decide(AuthorizationManager<CallAuthorizationContext> manager, String decision,
				String... names) {
			CallRules.this.rules.add(new CallRule(this.services, this.methods, manager,
					"%s(%s)".formatted(decision, String.join(", ", names))));
			CallRules.this.open = null;
			return CallRules.this;
		}

	}

}
