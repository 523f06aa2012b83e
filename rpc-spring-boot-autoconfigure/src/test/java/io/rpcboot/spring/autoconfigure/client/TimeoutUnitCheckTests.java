package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Timeouts whose unit was forgotten are noticed once, at the start. */
@ExtendWith(OutputCaptureExtension.class)
class TimeoutUnitCheckTests {

	private static final String RULE = " is shorter than most calls take (a number without a unit is milliseconds);"
			+ " did you mean ";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class))
		.withPropertyValues("rpc.client.warm-up=0", "rpc.client.shutdown.grace-period=0")
		.withBean(User.class);

	private static int warnings(CapturedOutput output) {
		return StringUtils.countOccurrencesOf(output.getAll(), RULE);
	}

	@Test
	void timeoutWithoutUnit_isWarnedAbout_inPropertyAndAttribute(CapturedOutput output) {
		this.runner.withBean(OtherUser.class)
			.withPropertyValues("rpc.client.timeout=3", "rpc.client.references.named.timeout=2")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output.getAll()).contains("rpc.client.timeout: 3ms" + RULE + "3s?")
					.contains("rpc.client.references.named.timeout: 2ms" + RULE + "2s?")
					.contains("timeout of @RpcReference " + Greeter.class.getName() + ": 5ms" + RULE + "5s?");
				assertThat(warnings(output)).isEqualTo(3);
			});
	}

	@Test
	void attribute_causesNoWarning_whenPropertyOverridesIt(CapturedOutput output) {
		this.runner.withPropertyValues("rpc.client.references.named.timeout=2s").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output)).isZero();
		});
	}

	@ParameterizedTest
	@CsvSource({ "9, 1", "10, 0", "3000, 0" })
	void timeout_causesWarning_below10Milliseconds(long millis, int expected, CapturedOutput output) {
		TimeoutUnitCheck.warnOf("timeout", Duration.ofMillis(millis));
		assertThat(warnings(output)).isEqualTo(expected);
	}

	@Test
	void submillisecondTimeout_causesWarning(CapturedOutput output) {
		TimeoutUnitCheck.warnOf("timeout", Duration.ofNanos(500_000));
		assertThat(output.getAll()).contains("timeout: PT0.0005S" + RULE + "milliseconds?");
	}

	static class User {

		@RpcReference(name = "named", timeout = "5ms")
		private Greeter greeter;

	}

	static class OtherUser {

		@RpcReference(timeout = "5ms")
		private Greeter greeter;

	}

}
