package io.rpcboot.engine.routing;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls with a tag that are made before the instance with that tag takes calls. */
@Timeout(60)
class WaitingTagIntegrationTests {

	private static ServiceInstance canary(int port) {
		return new ServiceInstance("canary", "app", new Endpoint("127.0.0.1", port), ServiceInstance.DEFAULT_WEIGHT, 0,
				Set.of(ServiceDescriptor.of(Calls.class).id()), "", "canary");
	}

	@Test
	void waitingTaggedCall_isTaken_whenItsInstanceBecomesReady() throws Exception {
		InMemoryRegistry registry = new InMemoryRegistry();
		try (RpcServer plain = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.registry(registry)
			.service(Calls.class, new CallsImpl())
			.start();
				ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				RpcClient client = RpcClient.builder()
					.registry(registry)
					.timeout(Duration.ofSeconds(40))
					.waitForInstance(Duration.ofSeconds(40))
					.build()) {
			registry.register(canary(listener.getLocalPort()));
			Calls calls = client.reference(Calls.class, ReferenceOptions.defaults()
				.withResilience(ResilienceOptions.defaults().withRouting(RoutingOptions.defaults().withStrict(true))));
			assertThat(calls.greet("plain")).isEqualTo("hello plain");
			assertThat(plain.connections()).isNotEmpty();
			CallOptions tagged = CallOptions.with(RoutingOptions.TAG_ATTACHMENT, "canary");
			CompletableFuture<String> waits = tagged.call(() -> calls.later("one"));
			Eventually.until("it waits", () -> client.references().get(0).waitingCalls() == 1);
			try (Peer peer = new Peer(listener.accept())) {
				peer.read(FrameType.BIND);
				assertThat(waits).as("it is taken there, where attachments are not")
					.failsWithin(Duration.ofSeconds(20))
					.withThrowableThat()
					.withMessageContaining("at 127.0.0.1:" + listener.getLocalPort() + ": INVALID_ARGUMENT")
					.withMessageContaining("max-attachments-size");
			}
		}
	}

}
