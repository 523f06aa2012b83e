package io.rpcboot.engine.memory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A long body waits until the other side has memory for it, and others keep that. What is
 * short on the same connection goes on meanwhile, in both directions.
 */
@Timeout(60)
class ShortCallsPassIntegrationTests {

	private static final int MIB = 1 << 20;

	private static final MemoryOptions SMALL = MemoryOptions.defaults().withLimit(8 * MIB).withLeastRate(0);

	private final Accounts accounts = new Accounts();

	private final List<Peer> hoarders = new ArrayList<>();

	private final LeakWatch leaks = new LeakWatch();

	private final CallsImpl implementation = new CallsImpl();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.maxFrameSize(MIB)
		.memory(SMALL)
		.metrics(this.accounts)
		.service(Calls.class, this.implementation)
		.start();

	@AfterEach
	void stop() throws IOException {
		leave();
		this.server.close();
		this.accounts.awaitEmpty();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	private RpcClientBuilder client() {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(40))
			.connectionsPerEndpoint(1)
			.maxFrameSize(MIB)
			.metrics(this.accounts);
	}

	/** Those who ask for memory and do not send: more of them than it has room for. */
	private void fill() throws Exception {
		for (int i = 0; i < 8; i++) {
			Peer peer = new Peer(this.server.port());
			this.hoarders.add(peer);
			RawCalls.bind(peer);
			peer.frame(FrameType.NEED, 0, 0, MIB, new byte[0]);
		}
		Eventually.until("its memory is used up: " + this.accounts,
				() -> this.accounts.of(Gauge.SERVER_MEMORY_INCOMING) > 3 * MIB / 2);
	}

	private void leave() throws IOException {
		for (Peer peer : this.hoarders) {
			peer.close();
		}
		this.hoarders.clear();
	}

	private static void assertShortCallsGo(Calls calls) throws Exception {
		for (int i = 0; i < 100; i++) {
			assertThat(calls.echo(new byte[i])).hasSize(i);
		}
		List<CompletableFuture<byte[]>> together = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			together.add(calls.echoLater(new byte[20 * i]));
		}
		for (int i = 0; i < 200; i++) {
			assertThat(together.get(i).get(20, TimeUnit.SECONDS)).hasSize(20 * i);
		}
	}

	@Test
	void shortCalls_passLongCalls_whenServerMemoryIsShort() throws Exception {
		try (RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			fill();
			CompletableFuture<byte[]> first = calls.echoLater(new byte[600_000]);
			CompletableFuture<byte[]> second = calls.echoLater(new byte[5000]);
			assertShortCallsGo(calls);
			assertThat(first).isNotDone();
			assertThat(second).as("long ones keep their order").isNotDone();
			leave();
			assertThat(first.get(20, TimeUnit.SECONDS)).hasSize(600_000);
			assertThat(second.get(20, TimeUnit.SECONDS)).hasSize(5000);
		}
	}

	/** What a long call uses, it has reserved for itself. */
	@Test
	void shortCalls_proceed_whileLongCallExecutes() throws Exception {
		try (RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			fill();
			CompletableFuture<String> large = calls.laterAtGate("x".repeat(600_000));
			leave();
			Eventually.until("it is at work", () -> !this.implementation.futures.isEmpty());
			fill();
			assertShortCallsGo(calls);
			assertThat(large).isNotDone();
			this.implementation.futures.element().complete("done");
			assertThat(large.get(20, TimeUnit.SECONDS)).isEqualTo("done");
		}
	}

	/** A timeout of the one that has asked gives its turn to the next. */
	@Test
	void timedOutLongCall_unblocksNextCall() throws Exception {
		try (RpcClient client = client().build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			Calls impatient = client.reference(Calls.class,
					ReferenceStates.at(this.server).withTimeout(Duration.ofMillis(300)));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			fill();
			CompletableFuture<byte[]> first = impatient.echoLater(new byte[600_000]);
			CompletableFuture<byte[]> second = calls.echoLater(new byte[700_000]);
			assertThat(first).failsWithin(Duration.ofSeconds(20))
				.withThrowableOfType(ExecutionException.class)
				.withMessageContaining("did not execute");
			assertShortCallsGo(calls);
			assertThat(second).isNotDone();
			leave();
			assertThat(second.get(20, TimeUnit.SECONDS)).hasSize(700_000);
		}
	}

	@Test
	void shortReplies_passLongReplies_whenClientMemoryIsShort() throws Exception {
		MemoryOptions least = MemoryOptions.defaults().withLimit(3 * MIB).withLeastRate(0);
		try (ServerSocket hoarder = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				RpcClient client = client().memory(least).build()) {
			client.reference(Calls.class, ReferenceStates.at(hoarder.getLocalPort())).echoLater(new byte[1]);
			Calls calls = client.reference(Calls.class, ReferenceStates.at(this.server));
			assertThat(calls.add(1, 2)).isEqualTo(3);
			CompletableFuture<byte[]> large;
			try (Peer peer = new Peer(hoarder.accept())) {
				peer.frame(FrameType.NEED, 0, 0, MIB, new byte[0]);
				Eventually.until("it has the memory: " + this.accounts,
						() -> this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING) >= MIB);
				large = CompletableFuture.supplyAsync(() -> calls.grow(900_000));
				Eventually.until("the long reply waits", () -> this.server.connections().get(0).held() > 0);
				assertShortCallsGo(calls);
				assertThat(large).isNotDone();
			}
			assertThat(large.get(20, TimeUnit.SECONDS)).hasSize(900_000);
		}
	}

}
