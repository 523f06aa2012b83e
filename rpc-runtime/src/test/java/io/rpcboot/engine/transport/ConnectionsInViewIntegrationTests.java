package io.rpcboot.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawCalls;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the descriptions of connections on both sides while calls use them. */
@Timeout(60)
class ConnectionsInViewIntegrationTests {

	/** What a connection may have under way. */
	private static final int GRANT = 64;

	private static final int CALLS = 200;

	private final CallsImpl implementation = new CallsImpl();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(this.meters);

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.applicationName("orders")
		.metrics(this.metrics)
		.maxCallsPerConnection(GRANT)
		.socket(SocketOptions.defaults().withSendBuffer(8 * 1024).withBacklog(50).withWaterMarks(16 * 1024, 32 * 1024))
		.service(Calls.class, this.implementation)
		.start();

	private final RpcClient client = RpcClient.builder()
		.applicationName("shop")
		.metrics(this.metrics)
		.timeout(Duration.ofSeconds(30))
		.build();

	@AfterEach
	void close() {
		this.implementation.gate.countDown();
		this.client.close();
		this.server.close();
	}

	private Calls reference() {
		Calls calls = this.client.reference(Calls.class, ReferenceStates.at(this.server));
		Eventually.until("it is connected", () -> ReferenceStates.ready(this.client) == 1);
		return calls;
	}

	private ConnectionInfo atClient() {
		assertThat(this.client.connections()).hasSize(1);
		return this.client.connections().get(0);
	}

	private ConnectionInfo atServer() {
		assertThat(this.server.connections()).hasSize(1);
		return this.server.connections().get(0);
	}

	private double gauge(String name) {
		return this.meters.get(name).gauge().value();
	}

	@Test
	void connectionInfo_matches_onBothSides() {
		Calls calls = reference();
		for (int i = 0; i < 10; i++) {
			assertThat(calls.greet("Doug")).isEqualTo("hello Doug");
		}
		Eventually.until("the last answer is counted", () -> atServer().pending() == 0);
		ConnectionInfo client = atClient();
		ConnectionInfo server = atServer();
		assertThat(client.remote()).isEqualTo("127.0.0.1:" + this.server.port());
		assertThat(client.application()).isEqualTo("orders");
		assertThat(server.application()).isEqualTo("shop");
		assertThat(client.batching()).isEqualTo(Mode.AUTO);
		assertThat(client.grantedCalls()).isEqualTo(server.grantedCalls()).isEqualTo(GRANT);
		assertThat(client.usedCalls()).isEqualTo(server.usedCalls()).isEqualTo(10);
		assertThat(client.grantedBytes()).isEqualTo(server.grantedBytes());
		assertThat(client.usedBytes()).isEqualTo(server.usedBytes()).isPositive();
		assertThat(client.pending()).isZero();
		assertThat(client.held()).isZero();
		assertThat(client.messages()).isGreaterThanOrEqualTo(10);
		assertThat(client.averageBatch()).isBetween(1.0, 3.0);
		assertThat(client.flushes().get(FlushReason.DRAINED)).isGreaterThanOrEqualTo(10);
	}

	@Test
	void callsBeyondGrant_wait_untilGrantIsRenewed() throws Exception {
		Calls calls = reference();
		List<CompletableFuture<String>> futures = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			futures.add(calls.laterAtGate("n" + i));
		}
		Eventually.until("the grant is used up", () -> atServer().pending() == GRANT);
		Eventually.until("the others wait for any connection",
				() -> this.client.references().get(0).waitingCalls() == CALLS - GRANT);
		assertThat(atClient().held()).isZero();
		assertThat(atClient().pending()).isEqualTo(GRANT);
		assertThat(atClient().usedCalls()).isEqualTo(atClient().grantedCalls());
		assertThat(gauge("rpc.client.calls.held")).isEqualTo(CALLS - GRANT);
		assertThat(gauge("rpc.client.calls.pending")).isEqualTo(CALLS);
		assertThat(gauge("rpc.client.calls.queued")).isZero();
		assertThat(gauge("rpc.server.grants.calls")).isEqualTo(GRANT);
		assertThat(gauge("rpc.server.grants.bytes")).isEqualTo(60 * 1024);
		for (int i = 0; i < CALLS; i++) {
			CompletableFuture<String> next = this.implementation.futures.poll(10, TimeUnit.SECONDS);
			assertThat(next).isNotNull();
			next.complete("done");
		}
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
		Eventually.until("nothing is under way", () -> atServer().pending() == 0);
		assertThat(atClient().pending()).isZero();
		assertThat(atClient().held()).isZero();
		assertThat(atClient().usedCalls()).isEqualTo(CALLS);
		assertThat(gauge("rpc.client.calls.held")).isZero();
		assertThat(gauge("rpc.server.grants.calls")).isEqualTo(GRANT);
	}

	@Test
	void callsBeyondPendingLimit_areQueued() throws Exception {
		try (RpcClient narrow = RpcClient.builder()
			.metrics(this.metrics)
			.maxPendingCalls(2)
			.whenFull(OverflowPolicy.QUEUE)
			.build()) {
			Calls calls = narrow.reference(Calls.class, ReferenceStates.at(this.server));
			for (int i = 0; i < 4; i++) {
				calls.laterAtGate("n" + i);
			}
			assertThat(narrow.pendingCalls()).isEqualTo(2);
			assertThat(narrow.queuedCalls()).isEqualTo(2);
			assertThat(gauge("rpc.client.calls.queued")).isEqualTo(2);
			for (int i = 0; i < 4; i++) {
				CompletableFuture<String> next = this.implementation.futures.poll(10, TimeUnit.SECONDS);
				assertThat(next).isNotNull();
				next.complete("done");
			}
			Eventually.until("none is queued", () -> narrow.queuedCalls() == 0 && narrow.pendingCalls() == 0);
		}
		assertThat(gauge("rpc.client.calls.queued")).isZero();
	}

	@Test
	void batches_grow_underLoad() throws Exception {
		Calls calls = reference();
		AtomicInteger unanswered = new AtomicInteger();
		Thread load = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				if (unanswered.incrementAndGet() > 1000) {
					unanswered.decrementAndGet();
					Thread.yield();
					continue;
				}
				calls.echoLater(new byte[16]).whenComplete((bytes, failure) -> unanswered.decrementAndGet());
			}
		});
		load.start();
		Eventually.until("batches grow",
				() -> atClient().averageBatch() > 2 && atServer().averageBatch() > 2 && atClient().usedCalls() > 1000);
		load.interrupt();
		load.join();
		Eventually.until("all are answered", () -> unanswered.get() == 0 && atServer().pending() == 0);
		assertThat(atClient().pending()).isZero();
		assertThat(atClient().grantedCalls()).isGreaterThan(atClient().usedCalls());
	}

	@Test
	void nonReadingClient_isCountedAsStall() throws Exception {
		try (Peer peer = new Peer(this.server.port())) {
			RawCalls.bind(peer);
			for (int id = 1; id <= 30; id++) {
				RawCalls.call(peer, "grow", id, 60_000, 1_000_000);
			}
			Eventually.until("answers are held", () -> atServer().stalls() > 0 && atServer().held() > 10);
			assertThat(atServer().pending()).isGreaterThan(10);
			assertThat(this.meters.get("rpc.server.stalls").functionCounter().count()).isPositive();
			assertThat(this.meters.get("rpc.client.stalls").functionCounter().count()).isZero();
		}
		Eventually.until("it is gone", () -> this.server.connections().isEmpty());
	}

	@Test
	void leavingConnection_staysVisible_untilItsCallsEnd() throws Exception {
		Calls calls = reference();
		CompletableFuture<String> last = calls.laterAtGate("last");
		CompletableFuture<String> atServer = this.implementation.futures.poll(10, TimeUnit.SECONDS);
		assertThat(atServer).isNotNull();
		CompletableFuture<Void> shutdown = CompletableFuture
			.runAsync(() -> this.server.shutdown(Duration.ofSeconds(30)));
		Eventually.until("the client was told", () -> ReferenceStates.ready(this.client) == 0);
		assertThat(atClient().pending()).isOne();
		atServer.complete("done");
		assertThat(last.get(10, TimeUnit.SECONDS)).isEqualTo("done");
		shutdown.get(10, TimeUnit.SECONDS);
		Eventually.until("it is closed", () -> this.client.connections().isEmpty());
		assertThat(this.server.connections()).isEmpty();
		assertThat(gauge("rpc.server.grants.calls")).isZero();
	}

	@Test
	void connectionInfo_showsItsBatchingMode() {
		ReferenceOptions at = ReferenceStates.at(this.server);
		Calls calls = reference();
		Calls always = this.client.reference(Calls.class,
				at.withBatching(BatchingOptions.defaults()
					.withMode(Mode.ALWAYS)
					.withMaxMessages(100)
					.withMaxBytes(64 * 1024)
					.withMaxDelay(Duration.ofMillis(2))));
		calls.greet("Doug");
		always.greet("Doug");
		Eventually.until("two are connected", () -> this.client.connections().size() == 2);
		assertThat(this.client.connections()).extracting(ConnectionInfo::batching)
			.containsExactlyInAnyOrder(Mode.AUTO, Mode.ALWAYS);
		ConnectionInfo held = this.client.connections()
			.stream()
			.filter((connection) -> connection.batching() == Mode.ALWAYS)
			.findFirst()
			.orElseThrow();
		assertThat(held.flushes().get(FlushReason.DELAY)).isPositive();
	}

}
