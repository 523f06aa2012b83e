package io.rpcboot.spring.security;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.RolesAllowed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;

import static org.assertj.core.api.Assertions.assertThat;

/** Security that is there and guards nothing has a warning at the start. */
@ExtendWith(OutputCaptureExtension.class)
class UnguardedServicesTests {

	private static final String DECODER = "bean checks no call, and everybody may call the services";

	private static final String ANNOTATION = "has no effect: everybody may call it";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0",
				"rpc.server.auth.allow-clear-text=true")
		.withConfiguration(
				AutoConfigurations.of(RpcRegistryAutoConfiguration.class, RpcSerializationAutoConfiguration.class,
						RpcServerAutoConfiguration.class, RpcSecurityAutoConfiguration.class));

	private ApplicationContextRunner withDecoder() {
		return this.runner.withBean(JwtDecoder.class, Tokens::decoder);
	}

	@Test
	void decoder_isWarnedOf_ifNothingGuardsServices(CapturedOutput output) {
		withDecoder().withBean(GreeterService.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("The JwtDecoder " + DECODER);
	}

	@Test
	void introspector_isWarnedOf_ifNothingGuardsServices(CapturedOutput output) {
		this.runner.withBean(OpaqueTokenIntrospector.class, () -> (token) -> null)
			.withBean(GreeterService.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("The OpaqueTokenIntrospector " + DECODER);
	}

	@Test
	void decoder_isNotWarnedOf_ifItIsAskedOrAnotherProofGuards(CapturedOutput output) {
		withDecoder().run((context) -> assertThat(context).as("no services").hasNotFailed());
		withDecoder().withBean(GreeterService.class)
			.withBean(RpcSecurity.class, () -> RpcSecurity.authorizeCalls((calls) -> calls.anyCall().authenticated()))
			.run((context) -> assertThat(context).hasNotFailed());
		withDecoder().withBean(GreeterService.class)
			.withPropertyValues("rpc.server.auth.secret=a-secret-of-all-servers")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(DECODER);
	}

	@ParameterizedTest
	@ValueSource(
			classes = { OnMethod.class, OnClass.class, After.class, OfSecured.class, OfJakarta.class, Denied.class })
	void annotation_isWarnedOf_withoutMethodSecurity(Class<?> service, CapturedOutput output) {
		this.runner.withBean(service).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce(ANNOTATION)
			.contains(" of " + service.getName() + ".greet has no effect", "(expected: @EnableMethodSecurity");
	}

	@ParameterizedTest
	@ValueSource(
			classes = { OnMethod.class, OnClass.class, After.class, OfSecured.class, OfJakarta.class, Denied.class })
	void annotation_isNotWarnedOf_withMethodSecurity(Class<?> service, CapturedOutput output) {
		this.runner.withBean(service)
			.withUserConfiguration(All.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(ANNOTATION);
	}

	@Test
	void securedAnnotation_isWarnedOf_ifOnlyOthersAreEnabled(CapturedOutput output) {
		this.runner.withBean(OfSecured.class)
			.withUserConfiguration(PrePost.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("@Secured of " + OfSecured.class.getName() + ".greet has no effect",
				"@EnableMethodSecurity(securedEnabled = true)");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(securedEnabled = true, jsr250Enabled = true)
	static class All {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class PrePost {

	}

	@RpcService
	static class OnMethod implements Greeter {

		@Override
		@PreAuthorize("hasRole('ADMIN')")
		public String greet(String name) {
			return name;
		}

	}

	@RpcService
	@PreAuthorize("hasRole('ADMIN')")
	static class OnClass implements Greeter {

		@Override
		public String greet(String name) {
			return name;
		}

	}

	@RpcService
	static class After implements Greeter {

		@Override
		@PostAuthorize("returnObject == 'Ann'")
		public String greet(String name) {
			return name;
		}

	}

	@RpcService
	static class OfSecured implements Greeter {

		@Override
		@Secured("ROLE_ADMIN")
		public String greet(String name) {
			return name;
		}

	}

	@RpcService
	static class OfJakarta implements Greeter {

		@Override
		@RolesAllowed("ADMIN")
		public String greet(String name) {
			return name;
		}

	}

	@RpcService
	static class Denied implements Greeter {

		@Override
		@DenyAll
		public String greet(String name) {
			return name;
		}

	}

}
