package io.rpcboot.spring.autoconfigure.registry;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code dns:} addresses as properties give them, looked up by the JVM. */
class DnsAddressesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@Test
	void dnsAddress_isCalled() {
		provider((port) -> caller("dns:localhost:" + port).run((context) -> {
			assertThat(context.getBean(Caller.class).greeter.greet("you")).contains("you");
			assertThat(context.getBean(RpcClient.class).references()).singleElement()
				.satisfies((reference) -> assertThat(reference.source()).isEqualTo("dns:localhost:" + port));
		}));
	}

	@Test
	void dnsAddress_isCalled_withFixedAddress() {
		provider((fixed) -> provider((port) -> {
			String addresses = "127.0.0.1:" + fixed + ", dns:localhost:" + port;
			caller(addresses).run((context) -> {
				RpcClient client = context.getBean(RpcClient.class);
				Awaitility.await().until(() -> isReady(client, fixed) && isReady(client, port));
				assertThat(context.getBean(Caller.class).greeter.greet("you")).contains("you");
				assertThat(client.references()).singleElement()
					.satisfies((reference) -> assertThat(reference.source()).isEqualTo(addresses));
			});
		}));
	}

	private void provider(PortConsumer test) {
		this.runner.withBean(GreeterService.class)
			.run((context) -> test.accept(context.getBean(RpcServer.class).port()));
	}

	private ApplicationContextRunner caller(String addresses) {
		return this.runner.withBean(Caller.class)
			.withPropertyValues("rpc.client.references.greeting.addresses=" + addresses, "rpc.client.dns.interval=1s");
	}

	private static boolean isReady(RpcClient client, int port) {
		return client.references()
			.stream()
			.flatMap((reference) -> reference.instances().stream())
			.anyMatch(
					(instance) -> instance.endpoint().port() == port && instance.state() == ReferenceInfo.State.READY);
	}

	@FunctionalInterface
	private interface PortConsumer {

		void accept(int port) throws Exception;

	}

	static class Caller {

		@RpcReference(name = "greeting")
		private Greeter greeter;

	}

}
