package io.rpcboot.spring.autoconfigure.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the first calls of an application after its warm-up. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class RpcClientWarmUpIntegrationTests {

	@Test
	void connections_areReadyForRunners_whenRegistryIsLate() {
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Greeter.class, new GreeterService())
			.start()) {
			LateRegistry.server = server;
			try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE,
					Map.of("rpc.client.warm-up", "30s", "logging.level.rpc.client", "error"), Late.class,
					Caller.class)) {
				Caller caller = context.getBean(Caller.class);
				assertThat(caller.references).hasSize(1).allMatch(ReferenceInfo::isReady);
				assertThat(caller.greeting).isEqualTo("Hello runner");
			}
		}
	}

	@Test
	void unreachableInstance_isNamedAndNotAwaited(CapturedOutput output) throws Exception {
		int closed = closedPort();
		Map<String, Object> properties = Map.of("rpc.client.warm-up", "10m", "rpc.client.references.greeter.addresses",
				"127.0.0.1:" + closed);
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE, properties,
				Holder.class)) {
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(output).contains("without an instance of io.rpcboot.spring.Greeter: 127.0.0.1:" + closed
				+ " is BACKING_OFF (cannot connect");
	}

	@Test
	@PropertyEffect("rpc.client.warm-up")
	void warmUp_isSkipped_whenZero(CapturedOutput output) throws Exception {
		Map<String, Object> properties = Map.of("rpc.client.warm-up", "0", "rpc.client.references.greeter.addresses",
				"127.0.0.1:" + closedPort());
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE, properties,
				Holder.class)) {
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(output).doesNotContain("without an instance of");
	}

	private static int closedPort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Late {

		@Bean
		Registry registry() {
			return new LateRegistry();
		}

	}

	/** Speaks half a second after it was asked. */
	static final class LateRegistry extends OtherRegistry {

		static RpcServer server;

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
				.execute(() -> listener.accept(List.of(new ServiceInstance("1", "app", server.advertisedEndpoint(),
						ServiceInstance.DEFAULT_WEIGHT, 0, Set.of(service)))));
			return () -> {
			};
		}

		@Override
		public String description() {
			return "late";
		}

	}

	static class Holder {

		@RpcReference(name = "greeter")
		Greeter greeter;

	}

	static class Caller implements ApplicationRunner {

		private final RpcClient client;

		private final Greeter greeter;

		private List<ReferenceInfo> references = List.of();

		private String greeting = "";

		Caller(RpcClient client, @RpcReference Greeter greeter) {
			this.client = client;
			this.greeter = greeter;
		}

		@Override
		public void run(ApplicationArguments arguments) {
			this.references = this.client.references();
			this.greeting = this.greeter.greet("runner");
		}

	}

}
