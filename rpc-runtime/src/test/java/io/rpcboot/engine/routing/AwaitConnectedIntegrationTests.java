package io.rpcboot.engine.routing;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.SilentRegistry;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the wait for connections before the first call. */
@Timeout(60)
class AwaitConnectedIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	@Test
	void awaitConnected_ends_whenEachReferenceIsReady() {
		try (RpcServer server = server(); RpcClient client = RpcClient.builder().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(server));
			assertThat(client.awaitConnected(LONG)).isEmpty();
			assertThat(client.references()).allMatch(ReferenceInfo::isReady);
			assertThat(calls.add(1, 2)).isEqualTo(3);
		}
	}

	@Test
	void awaitConnected_endsAtOnce_withoutReferences() {
		try (RpcClient client = RpcClient.builder().build()) {
			assertThat(client.awaitConnected(LONG)).isEmpty();
		}
	}

	@Test
	void awaitConnected_doesNotWait_afterConnectFailure() throws Exception {
		int closed = Ports.free();
		try (RpcClient client = RpcClient.builder().build()) {
			client.reference(Calls.class, ReferenceStates.at(closed));
			List<ReferenceInfo> missing = client.awaitConnected(LONG);
			assertThat(missing).hasSize(1);
			assertThat(missing.get(0).state()).startsWith("127.0.0.1:" + closed + " is BACKING_OFF (cannot connect");
		}
	}

	@Test
	void awaitConnected_doesNotWait_whenServiceIsNotOffered() {
		try (InMemoryRegistry registry = new InMemoryRegistry();
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			client.reference(Calls.class, ReferenceOptions.defaults());
			List<ReferenceInfo> missing = client.awaitConnected(LONG);
			assertThat(missing).hasSize(1);
			assertThat(missing.get(0).isResolved()).isTrue();
			assertThat(missing.get(0).state()).startsWith("no instance of it is known to ");
		}
	}

	@Test
	void awaitConnected_endsAtTimeout_whenRegistryIsSilent() {
		try (SilentRegistry registry = new SilentRegistry();
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			client.reference(Calls.class, ReferenceOptions.defaults());
			List<ReferenceInfo> missing = client.awaitConnected(Duration.ofMillis(50));
			assertThat(missing).hasSize(1).allMatch(ReferenceInfo::isConnecting);
			assertThat(client.awaitConnected(Duration.ZERO)).hasSize(1);
		}
	}

	@Test
	void awaitConnected_waits_untilRegistryAnswers() throws Exception {
		try (RpcServer server = server();
				SilentRegistry registry = new SilentRegistry();
				RpcClient client = RpcClient.builder().registry(registry).build()) {
			client.reference(Calls.class, ReferenceOptions.defaults());
			CompletableFuture<List<ReferenceInfo>> waiting = CompletableFuture
				.supplyAsync(() -> client.awaitConnected(LONG));
			assertThat(client.awaitConnected(Duration.ofMillis(50))).hasSize(1);
			assertThat(waiting).isNotDone();
			registry.speak(server);
			assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
		}
	}

	private static RpcServer server() {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, new CallsImpl()).start();
	}

}
