package io.rpcboot.spring.security;

import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Authorizer;
import io.rpcboot.security.Credentials;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.fixture.StartFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class RpcSecurityTests {

	private static final ServiceId GREETER = new ServiceId(Greeter.class.getName(), "", "");

	private final ApplicationContextRunner runner = Applications.inProcess()
		.withConfiguration(AutoConfigurations.of(RpcSecurityAutoConfiguration.class))
		.withBean(GreeterService.class);

	private ApplicationContextRunner with(Consumer<CallRules> rules) {
		return this.runner.withBean(RpcSecurity.class, () -> RpcSecurity.authorizeCalls(rules));
	}

	@ParameterizedTest
	@CsvSource({
			"io.rpcboot.spring.Greter, greet, 'a rule names service ''io.rpcboot.spring.Greter''', io.rpcboot.spring.Greeter",
			"io.rpcboot.spring.Greeter, gret, 'a rule names method ''gret'' of [io.rpcboot.spring.Greeter]', greet" })
	void misspelledName_endsStart(String service, String method, String problem, String meant) {
		FailureAnalysis analysis = StartFailure
			.of(with((calls) -> calls.services(service).methods(method).permitAll()));
		assertThat(analysis.getDescription()).startsWith("RpcSecurity: " + problem)
			.contains("which the server does not offer (expected: one of [" + meant);
		assertThat(analysis.getAction()).isEqualTo("Did you mean '%s'?".formatted(meant));
	}

	@Test
	void misspelledName_endsStart_besideServiceOfServer() {
		assertThat(StartFailure
			.of(with((calls) -> calls.services("grpc.health.v1.Health", "io.rpcboot.spring.Greter").denyAll()))
			.getDescription()).startsWith("RpcSecurity: a rule names service 'io.rpcboot.spring.Greter'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "grpc.health.v1.Health", "grpc.reflection.*", "*", "io.rpcboot.*", "*.Greeter" })
	void patternAndServiceOfServer_areTaken(String service) {
		with((calls) -> calls.services(service).permitAll()).run((context) -> assertThat(context).hasNotFailed());
	}

	/** Logs and contracts show the name that Java writes. */
	@ParameterizedTest
	@ValueSource(strings = { "io.rpcboot.spring.security.RpcSecurityTests$Nested",
			"io.rpcboot.spring.security.RpcSecurityTests.Nested", "io.rpcboot.spring.security.RpcSecurityTests.*" })
	void nestedInterface_isNamedAsInJava_orAsInClassFiles(String service) {
		with((calls) -> calls.services(service).methods("call").permitAll()).withBean(NestedService.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Authorizer rules = context.getBean(Authorizer.class);
				ServiceId nested = new ServiceId(Nested.class.getName(), "", "");
				assertThat(rules.permits(CallerIdentity.anonymous(), nested, "call")).isTrue();
				assertThat(rules.permits(CallerIdentity.anonymous(), GREETER, "call")).isFalse();
			});
	}

	/** A service in a class. */
	public interface Nested {

		void call();

	}

	/** Offers it. */
	@RpcService
	static class NestedService implements Nested {

		@Override
		public void call() {
		}

	}

	@Test
	void rulesOfService_areTold_asDeclared() {
		with((calls) -> calls.services("grpc.health.v1.Health")
			.permitAll()
			.services(Greeter.class)
			.methods("greet", "gr*")
			.hasAnyRole("CLERK", "BOSS")
			.services("*.Greeter")
			.access((caller, call) -> null)
			.anyCall()
			.authenticated()).run((context) -> {
				String name = Greeter.class.getName();
				assertThat(context.getBean(Authorizer.class).rules(GREETER)).containsExactly(
						"services(%s).methods(greet, gr*).hasAnyRole(CLERK, BOSS)".formatted(name),
						"services(*.Greeter).access(...)", "anyCall().authenticated()");
			});
	}

	@Test
	void firstRuleThatMatches_decides() {
		with((calls) -> calls.services("grpc.health.v1.Health")
			.permitAll()
			.services(Greeter.class)
			.methods("greet")
			.denyAll()
			.services(Greeter.class)
			.permitAll()).run((context) -> {
				Authorizer rules = context.getBean(Authorizer.class);
				CallerIdentity stranger = CallerIdentity.anonymous();
				assertThat(rules.permits(stranger, GREETER, "greet")).isFalse();
				assertThat(rules.permits(stranger, GREETER, "other")).isTrue();
				assertThat(rules.permits(stranger, new ServiceId(GREETER.name(), "2", "x"), "other")).isTrue();
				assertThat(rules.permits(stranger, new ServiceId("grpc.health.v1.Health", "", ""), "Check")).isTrue();
				assertThat(rules.permits(stranger, new ServiceId("unknown", "", ""), "")).isFalse();
			});
	}

	@Test
	void managerWithoutDecision_denies() {
		with((calls) -> calls.anyCall().access((caller, call) -> null)).run((context) -> assertThat(
				context.getBean(Authorizer.class).permits(CallerIdentity.anonymous(), GREETER, "greet"))
			.isFalse());
	}

	@Test
	void ruleAfterAnyCall_endsStart() {
		assertThat(StartFailure.of(with((calls) -> calls.anyCall().denyAll().services(Greeter.class).permitAll()))
			.getDescription()).isEqualTo("RpcSecurity: a rule for [io.rpcboot.spring.Greeter] comes after anyCall()");
	}

	@Test
	void ruleWithoutDecision_endsStart() {
		assertThat(StartFailure.of(with((calls) -> calls.services(Greeter.class))).getDescription())
			.isEqualTo("RpcSecurity: the rule for [io.rpcboot.spring.Greeter] decides nothing");
	}

	@Test
	void authenticator_isThere_onlyWithRulesAndSomethingToCheck() {
		this.runner.withBean(JwtDecoder.class, Tokens::decoder)
			.run((context) -> assertThat(context.getBeanProvider(Authenticator.class).stream()).isEmpty());
		with((calls) -> calls.anyCall().authenticated())
			.run((context) -> assertThat(context.getBeanProvider(Authenticator.class).stream()).isEmpty());
	}

	@Test
	void token_isCheckedByItsKind() {
		with((calls) -> calls.anyCall().authenticated()).withBean(JwtDecoder.class, Tokens::decoder)
			.withBean(OpaqueTokenIntrospector.class, () -> (token) -> {
				if (!token.equals("opaque")) {
					throw new BadOpaqueTokenException("unknown");
				}
				return new DefaultOAuth2AuthenticatedPrincipal("ann", java.util.Map.of("sub", "ann"),
						AuthorityUtils.createAuthorityList("SCOPE_x"));
			})
			.run((context) -> {
				Authenticator checks = context.getBean(Authenticator.class);
				assertThat(checks.authenticate(Credentials.bearer("opaque")).getName()).isEqualTo("ann");
				assertThat(checks.authenticate(Credentials.bearer(Tokens.ISSUER.token("x"))).getName())
					.isEqualTo("doug");
				assertThatException().isThrownBy(() -> checks.authenticate(Credentials.bearer(Tokens.unsigned("x"))))
					.withMessageContaining("algorithm");
				assertThatException().isThrownBy(() -> checks.authenticate(Credentials.bearer("other")))
					.withMessageContaining("unknown");
			});
	}

	@Test
	void chosenManager_checksUserAndPassword() {
		this.runner
			.withBean(RpcSecurity.class, () -> RpcSecurity.authorizeCalls((calls) -> calls.anyCall().authenticated())
				.withAuthenticationManager((request) -> {
					if (!request.getName().equals("doug") || !"pw:1".equals(request.getCredentials())) {
						throw new BadCredentialsException("unknown");
					}
					return UsernamePasswordAuthenticationToken.authenticated("doug", null,
							AuthorityUtils.NO_AUTHORITIES);
				}))
			.run((context) -> {
				Authenticator checks = context.getBean(Authenticator.class);
				assertThat(checks.authenticate(Credentials.of("basic ZG91Zzpwdzox")).getName()).isEqualTo("doug");
				for (String bad : new String[] { "Basic ZG91Zzpwdw==", "Basic ZG91Zw==", "Basic !", "Digest x" }) {
					assertThatException().isThrownBy(() -> checks.authenticate(Credentials.of(bad)))
						.withMessageNotContaining("ZG91");
				}
			});
	}

	@Test
	void application_starts_withoutSpringSecurity() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("rpcSecurityContextInterceptor"));
	}

	/** The name of its class comes later than that of the security. */
	@Test
	void beanOfOtherAutoConfiguration_isUsed() {
		this.runner.withConfiguration(AutoConfigurations.of(ZSecurityAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Authorizer.class));
	}

	@Test
	void beanAfterAutoConfiguration_endsStart() {
		assertThat(StartFailure
			.of(this.runner.withConfiguration(AutoConfigurations.of(LateSecurityAutoConfiguration.class)))
			.getDescription()).startsWith("RpcSecurity: a bean that was registered after auto-configuration began");
	}

	@Test
	void rules_endStart_withoutSpringSecurity() {
		FailureAnalysis analysis = StartFailure.of(with((calls) -> calls.anyCall().permitAll())
			.withClassLoader(new FilteredClassLoader("org.springframework.security.web")));
		assertThat(analysis.getDescription())
			.startsWith("RpcSecurity: Spring Security is not on the class path (expected: spring-security-web, ");
		assertThat(analysis.getAction()).contains("spring-boot-starter-security");
	}

	@Test
	void application_starts_withoutTokensOfOAuth() {
		with((calls) -> calls.anyCall().permitAll())
			.withClassLoader(new FilteredClassLoader("org.springframework.security.oauth2"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(Authorizer.class));
	}

	@AutoConfiguration
	static class ZSecurityAutoConfiguration {

		@Bean
		RpcSecurity fleetSecurity() {
			return RpcSecurity.authorizeCalls((calls) -> calls.anyCall().denyAll());
		}

	}

	@AutoConfiguration(after = RpcSecurityAutoConfiguration.class)
	static class LateSecurityAutoConfiguration extends ZSecurityAutoConfiguration {

	}

}
