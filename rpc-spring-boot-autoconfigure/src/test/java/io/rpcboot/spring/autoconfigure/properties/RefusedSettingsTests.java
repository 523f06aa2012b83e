package io.rpcboot.spring.autoconfigure.properties;

import io.rpcboot.client.RpcClient;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.rpcboot.spring.autoconfigure.fixture.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;

/** Values that are good by themselves and do not work here. */
class RefusedSettingsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@Test
	void port_isRejected_whenAnotherContextUsesIt() {
		this.runner.withBean(GreeterService.class).run((first) -> {
			String port = first.getEnvironment().getRequiredProperty("local.rpc.port");
			this.runner.withBean(GreeterService.class).withPropertyValues("rpc.server.port=" + port).run((second) -> {
				FailureAnalysis analysis = analyze(second, "rpc.server.port", port);
				assertThat(analysis.getDescription())
					.startsWith(
							"rpc.server.port: " + port + " is in use by another application context of this process")
					.contains("Set in: ");
				assertThat(analysis.getAction())
					.startsWith("Set rpc.server.port to 0 for any free one, as several tests");
			});
		});
	}

	@Test
	void advertisedAddress_isRejected_withPort() {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.advertised-address=1.2.3.4:9090")
			.run((context) -> assertThat(
					analyze(context, "rpc.server.advertised-address", "1.2.3.4:9090").getDescription())
				.startsWith("rpc.server.advertised-address: '1.2.3.4:9090' "
						+ "(expected: a known host name or an address, without port)")
				.contains("Set in: "));
	}

	@Test
	void disabledClient_isRejected_whenReferenceOrBeanNeedsIt() {
		this.runner.withBean(Caller.class).withPropertyValues("rpc.client.enabled=false").run((context) -> {
			FailureAnalysis analysis = analyze(context, "rpc.client.enabled", "false");
			assertThat(analysis.getDescription())
				.startsWith("rpc.client.enabled: false, but there is an @RpcReference of " + Greeter.class.getName())
				.contains("Set in: ");
			assertThat(analysis.getAction())
				.isEqualTo("Set rpc.client.enabled to true, or remove what needs the client.");
		});
		this.runner.withBean(Switchboard.class)
			.withPropertyValues("rpc.client.enabled=false")
			.run((context) -> assertThat(analyze(context).getDescription())
				.startsWith("rpc.client.enabled: false, but a bean needs an RpcClient"));
	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

	record Switchboard(RpcClient client) {
	}

}
