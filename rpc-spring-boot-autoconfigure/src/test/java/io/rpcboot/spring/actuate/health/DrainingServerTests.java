package io.rpcboot.spring.actuate.health;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor.ServerState;
import io.rpcboot.spring.actuate.endpoint.RpcEndpoint;
import io.rpcboot.spring.actuate.endpoint.RpcEndpointAutoConfiguration;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the health of a server that shuts down during a call. */
@Timeout(30)
class DrainingServerTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "management.endpoints.web.exposure.include=*",
				"rpc.client.timeout=20s")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class,
				RpcEndpointAutoConfiguration.class, RpcHealthAutoConfiguration.class))
		.withBean(SlowGreeter.class)
		.withBean(User.class);

	@Test
	void drainingServer_isDegraded_untilClosed() {
		this.runner.run((context) -> {
			SlowGreeter slow = context.getBean(SlowGreeter.class);
			CompletableFuture<String> call = CompletableFuture
				.supplyAsync(() -> context.getBean(User.class).greeter.greet("Ann"));
			assertThat(slow.called.await(10, TimeUnit.SECONDS)).isTrue();
			RpcServerLifecycle lifecycle = context.getBean(RpcServerLifecycle.class);
			assertThat(lifecycle.isDraining()).isFalse();
			CountDownLatch stopped = new CountDownLatch(1);
			lifecycle.stop(stopped::countDown);
			assertThat(lifecycle.isDraining()).isTrue();
			RpcEndpoint endpoint = context.getBean(RpcEndpoint.class);
			assertThat(endpoint.rpc().server().state()).isEqualTo(ServerState.DRAINING);
			Health health = context.getBean(RpcHealthIndicator.class).health(true);
			assertThat(health.getStatus()).isEqualTo(RpcHealthIndicator.DEGRADED);
			assertThat(health.getDetails().get("server")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("state", "DRAINING")
				.containsEntry("inFlightCalls", 1);
			slow.gate.countDown();
			assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("Hello Ann");
			assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(lifecycle.isDraining()).isFalse();
			SummaryDescriptor.ServerDescriptor closed = endpoint.rpc().server();
			assertThat(closed.state()).isEqualTo(ServerState.DOWN);
			assertThat(closed.port()).isNull();
			assertThat(closed.advertisedEndpoint()).isNull();
		});
	}

	@RpcService
	static class SlowGreeter implements Greeter {

		private final CountDownLatch called = new CountDownLatch(1);

		private final CountDownLatch gate = new CountDownLatch(1);

		@Override
		public String greet(String name) {
			this.called.countDown();
			try {
				assertThat(this.gate.await(10, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return "Hello " + name;
		}

	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

}
