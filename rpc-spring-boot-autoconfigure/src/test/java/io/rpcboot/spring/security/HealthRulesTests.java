package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules that refuse probes are named at the start. */
@ExtendWith(OutputCaptureExtension.class)
class HealthRulesTests {

	private static final String HEALTH = "grpc.health.v1.Health";

	private static final String WARNING = "RpcSecurity: the rules refuse ";

	private static final String REMEDY = " (expected: calls.services(\"grpc.health.v1.Health\").methods(\"Check\", \"Watch\").permitAll()";

	private final ApplicationContextRunner runner = Applications.inProcess()
		.withConfiguration(AutoConfigurations.of(RpcSecurityAutoConfiguration.class))
		.withBean(GreeterService.class);

	private void start(Consumer<CallRules> rules, String... properties) {
		this.runner.withBean(RpcSecurity.class, () -> RpcSecurity.authorizeCalls(rules))
			.withPropertyValues(properties)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static Arguments rules(String refused, Consumer<CallRules> rules) {
		return Arguments.of(refused, rules);
	}

	static Stream<Arguments> refusing() {
		return Stream.of(rules("Check and Watch", (calls) -> calls.services("*.Greeter").permitAll()),
				rules("Check and Watch", (calls) -> calls.anyCall().authenticated()),
				rules("Check and Watch", (calls) -> calls.services("grpc.*").denyAll()),
				rules("Check and Watch", (calls) -> calls.services(HEALTH).hasCertificate("prober")),
				rules("Check and Watch", (calls) -> calls.services(HEALTH).hasRole("PROBER").anyCall().permitAll()),
				rules("Check and Watch", (calls) -> calls.services(HEALTH).methods("List").permitAll()),
				rules("Check and Watch", (calls) -> calls.anyCall().access((caller, call) -> null)),
				rules("Check and Watch", (calls) -> calls.anyCall().access((caller, call) -> {
					throw new IllegalStateException("no tenant");
				})), rules("Watch", (calls) -> calls.services(HEALTH).methods("Check").permitAll()),
				rules("Check", (calls) -> calls.services(HEALTH).methods("W*").permitAll()));
	}

	@ParameterizedTest
	@MethodSource("refusing")
	void rulesThatRefuseProbes_areNamed(String refused, Consumer<CallRules> rules, CapturedOutput output) {
		start(rules);
		assertThat(output).containsOnlyOnce(WARNING)
			.contains(WARNING + refused + " of grpc.health.v1.Health to callers without a proof", REMEDY);
	}

	static Stream<Consumer<CallRules>> permitting() {
		return Stream.of((calls) -> calls.anyCall().permitAll(),
				(calls) -> calls.services(HEALTH).permitAll().anyCall().denyAll(),
				(calls) -> calls.services("grpc.*").methods("Check", "Watch").permitAll(),
				(calls) -> calls.services(HEALTH)
					.methods("List")
					.denyAll()
					.services(HEALTH)
					.permitAll()
					.anyCall()
					.authenticated());
	}

	@ParameterizedTest
	@MethodSource("permitting")
	void rulesThatPermitProbes_areNotNamed(Consumer<CallRules> rules, CapturedOutput output) {
		start(rules);
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void rules_areNotNamed_withoutHealth(CapturedOutput output) {
		start((calls) -> calls.anyCall().denyAll(), "rpc.server.grpc.health=false");
		start((calls) -> calls.anyCall().denyAll(), "rpc.server.protocols=native");
		assertThat(output).doesNotContain(WARNING);
	}

	/** With {@code client-auth=need} each caller has a certificate. */
	@Test
	void rulesForCertificates_areNotNamed_ifEachClientHasOne(@TempDir Path files, CapturedOutput output) {
		Map<String, String> need = Map.of("rpc.server.ssl.client-auth", "need");
		new SecuredApplication(files, need, Proved.class, GreeterService.class).close();
		assertThat(output).doesNotContain(WARNING);
		new SecuredApplication(files, need, OfGreeter.class, GreeterService.class).close();
		assertThat(output).contains(WARNING + "Check and Watch of grpc.health.v1.Health, so probes fail");
	}

	static class Proved {

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity.authorizeCalls((calls) -> calls.anyCall().authenticated());
		}

	}

	static class OfGreeter {

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity.authorizeCalls((calls) -> calls.services("*.Greeter").authenticated());
		}

	}

}
