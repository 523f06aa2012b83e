package io.rpcboot.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the meters of event loops, connections and flushes while calls are made. */
@Timeout(60)
class TransportMetersIntegrationTests {

	private static final int CALLS = 300;

	private final CallsImpl implementation = new CallsImpl();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(this.meters);

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.metrics(this.metrics)
		.eventLoop(EventLoopOptions.defaults().withThreads(2))
		.socket(SocketOptions.defaults().withAllocator(SocketOptions.Allocator.ADAPTIVE))
		.service(Calls.class, this.implementation)
		.start();

	private final RpcClient client = RpcClient.builder()
		.metrics(this.metrics)
		.eventLoop(EventLoopOptions.defaults().withThreads(3))
		.timeout(Duration.ofSeconds(30))
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
	}

	private Calls reference(int port) {
		return this.client.reference(Calls.class, ReferenceStates.at(port));
	}

	private double gauge(String name, String... tags) {
		return this.meters.get(name).tags(tags).gauge().value();
	}

	private double count(String name, String... tags) {
		return this.meters.get(name).tags(tags).functionCounter().count();
	}

	private boolean connections(String side, int opening, int ready, int leaving) {
		String name = "rpc." + side + ".connections";
		return gauge(name, "state", "opening") == opening && gauge(name, "state", "ready") == ready
				&& gauge(name, "state", "leaving") == leaving;
	}

	@Test
	void meters_coverLoopsBatchesAndTimes_onBothSides() throws Exception {
		long start = System.nanoTime();
		Calls calls = reference(this.server.port());
		for (int i = 0; i < CALLS; i++) {
			assertThat(calls.greet("Doug")).isEqualTo("hello Doug");
		}
		List<CompletableFuture<String>> futures = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			futures.add(calls.later("Doug"));
		}
		for (CompletableFuture<String> each : futures) {
			assertThat(each.get(20, TimeUnit.SECONDS)).isNotNull();
		}
		assertThat(gauge("rpc.client.loops")).isEqualTo(3);
		assertThat(gauge("rpc.server.loops")).isEqualTo(2);
		for (String side : List.of("client", "server")) {
			String prefix = "rpc." + side + ".";
			Eventually.until(side + " was busy", () -> count(prefix + "loops.busy") > 0);
			assertThat(count(prefix + "loops.busy")).isLessThan(3 * (System.nanoTime() - start) / 1e9);
			assertThat(gauge(prefix + "loops.tasks")).isNotNegative();
			Eventually.until(side + " measured writes", () -> this.meters.get(prefix + "written").timer().count() > 1);
			assertThat(this.meters.get(prefix + "written").timer().count()).isLessThanOrEqualTo(2 * CALLS / 64 + 2);
			assertThat(this.meters.get(prefix + "written").timer().max(TimeUnit.NANOSECONDS)).isBetween(1.0,
					(double) (System.nanoTime() - start));
			double decided = count(prefix + "flush.waits", "decision", "go")
					+ count(prefix + "flush.waits", "decision", "probe")
					+ count(prefix + "flush.waits", "decision", "wait");
			assertThat(decided).isBetween(CALLS / 2.0, 2.0 * CALLS + 20);
			assertThat(count(prefix + "flush.waits", "decision", "probe")).isPositive();
		}
		assertThat(gauge("rpc.allocator.used", "memory", "direct")).isPositive();
		assertThat(gauge("rpc.allocator.used", "memory", "heap")).isNotNegative();
	}

	@Test
	void meters_countConnections_byStateAndOutcome() {
		assertThat(connections("client", 0, 0, 0)).isTrue();
		Calls calls = reference(this.server.port());
		Eventually.until("both are ready", () -> connections("client", 0, 1, 0) && connections("server", 0, 1, 0));
		assertThat(count("rpc.client.connects", "outcome", "connected")).isOne();
		assertThat(count("rpc.client.connects", "outcome", "failed")).isZero();
		CompletableFuture<String> pending = calls.laterAtGate("Doug");
		Eventually.until("it runs", () -> !this.implementation.futures.isEmpty());
		this.server.goAway();
		Eventually.until("it finishes what is under way", () -> gauge("rpc.client.connections", "state", "leaving") == 1
				&& gauge("rpc.server.connections", "state", "leaving") == 1);
		assertThat(count("rpc.client.goaways")).isOne();
		assertThat(count("rpc.server.goaways")).isOne();
		assertThat(pending).isNotDone();
		this.implementation.futures.remove().complete("done");
		Eventually.until("it has gone", () -> gauge("rpc.client.connections", "state", "leaving") == 0
				&& gauge("rpc.server.connections", "state", "leaving") == 0);
		assertThat(count("rpc.client.goaways")).isOne();
	}

	@Test
	void failedConnects_areCounted() {
		int port = this.server.port();
		reference(port);
		Eventually.until("it is ready", () -> connections("client", 0, 1, 0));
		this.server.close();
		Eventually.until("it was tried again in vain", () -> count("rpc.client.connects", "outcome", "failed") >= 1);
		Eventually.until("none is there", () -> gauge("rpc.client.connections", "state", "ready") == 0);
		assertThat(count("rpc.server.goaways")).as("kept when the server is closed").isOne();
	}

}
