package io.rpcboot.spring.security;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.Credentials;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authorization.AuthorizationManagerFactory;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.util.ClassUtils;

/**
 * Security of the server, declared as a bean: who may call what, and how callers are
 * authenticated. Immutable. <pre>{@code
 * &#64;Bean
 * RpcSecurity rpcSecurity() {
 *     return RpcSecurity.authorizeCalls((calls) -> {
 *         calls.services(Orders.class).methods("cancel").hasAuthority("SCOPE_orders.write");
 *         calls.services(Orders.class).authenticated();
 *         calls.services("grpc.health.v1.Health").permitAll();
 *     });
 * }
 * }</pre>
 *
 * Calls without a rule are denied, also those of health and reflection. Bearer tokens are
 * checked by the {@code JwtDecoder} or {@code OpaqueTokenIntrospector} bean, unless a
 * manager is chosen.
 *
 * @since 0.1.0
 */
public final class RpcSecurity extends Options {

	/** Class on whose presence {@link RpcSecurityAutoConfiguration} depends. */
	private static final String NEEDED = "org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken";

	private final Consumer<CallRules> rules;

	private @Nullable AuthenticationManagerResolver<Credentials> managers;

	private Function<CallerIdentity, Collection<? extends GrantedAuthority>> authorities = (caller) -> List.of();

	private RpcSecurity(Consumer<CallRules> rules) {
		this.rules = rules;
	}

	/**
	 * Returns security with rules.
	 * @param rules adds the rules
	 * @return the security
	 * @throws RpcConfigurationException if {@code spring-security-web} is not on the
	 * class path: nothing would read the bean
	 */
	public static RpcSecurity authorizeCalls(Consumer<CallRules> rules) {
		if (!ClassUtils.isPresent(NEEDED, null)) {
			throw new RpcConfigurationException(
					"RpcSecurity: Spring Security is not on the class path (expected: spring-security-web, %s)"
						.formatted(NEEDED),
					"Add spring-boot-starter-security, or use rpc.server.services.<name>.allow instead of the bean.");
		}
		return new RpcSecurity(rules);
	}

	/**
	 * Returns security whose credentials are checked by a manager: a bearer token as
	 * {@code BearerTokenAuthenticationToken}, a user name and password of the scheme
	 * Basic as {@code UsernamePasswordAuthenticationToken}.
	 * @param manager checks credentials; may block
	 * @return changed security
	 */
	public RpcSecurity withAuthenticationManager(AuthenticationManager manager) {
		return withAuthenticationManagers((credentials) -> manager);
	}

	/**
	 * Returns security whose credentials are checked by one of several managers.
	 * @param managers returns the manager of credentials, for example by the issuer of a
	 * token; may block
	 * @return changed security
	 */
	public RpcSecurity withAuthenticationManagers(AuthenticationManagerResolver<Credentials> managers) {
		return copy((changed) -> changed.managers = managers);
	}

	/**
	 * Returns security with authorities of callers that have no token: those with a
	 * certificate or the shared secret. Default: none.
	 * @param authorities returns the authorities of a caller; asked for each decision and
	 * call, so it must not block
	 * @return changed security
	 */
	public RpcSecurity withAuthorities(Function<CallerIdentity, Collection<? extends GrantedAuthority>> authorities) {
		return copy((changed) -> changed.authorities = authorities);
	}

	List<CallRule> rules(AuthorizationManagerFactory<CallAuthorizationContext> factory) {
		CallRules calls = new CallRules(factory);
		this.rules.accept(calls);
		return calls.rules();
	}

	@Nullable AuthenticationManagerResolver<Credentials> managers() {
		return this.managers;
	}

	Collection<? extends GrantedAuthority> authorities(CallerIdentity caller) {
		return this.authorities.apply(caller);
	}

}
