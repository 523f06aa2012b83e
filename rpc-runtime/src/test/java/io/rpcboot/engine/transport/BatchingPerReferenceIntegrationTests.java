package io.rpcboot.engine.transport;

import java.time.Duration;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BatchingPerReferenceIntegrationTests {

	private static final BatchingOptions ALWAYS = BatchingOptions.defaults()
		.withMode(Mode.ALWAYS)
		.withMaxMessages(100)
		.withMaxBytes(64 * 1024)
		.withMaxDelay(Duration.ofMillis(5));

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final RpcServer server = RpcServer.builder().port(0).service(Calls.class, new CallsImpl()).start();

	private final RpcClient client = RpcClient.builder().metrics(new MicrometerRpcMetrics(this.meters)).build();

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
	}

	private Calls reference(ReferenceOptions options) {
		Calls calls = this.client.reference(Calls.class,
				options.withEndpoints(new Endpoint("127.0.0.1", this.server.port())));
		assertThat(calls.greet("warm")).isEqualTo("hello warm");
		return calls;
	}

	@Test
	void differentBatching_usesSeparateConnection() {
		Calls standard = reference(ReferenceOptions.defaults());
		assertThat(connections()).isEqualTo(1);
		double delayed = flushes("delay");
		assertThat(standard.greet("Doug")).isEqualTo("hello Doug");
		assertThat(flushes("delay")).isEqualTo(delayed);

		Calls patient = reference(ReferenceOptions.defaults().withBatching(ALWAYS));
		assertThat(connections()).isEqualTo(2);
		double before = flushes("delay");
		// one may leave with what the connection has to say at its beginning
		Eventually.until("a call was held back", () -> {
			assertThat(patient.greet("Doug")).isEqualTo("hello Doug");
			return flushes("delay") > before;
		});

		delayed = flushes("delay");
		assertThat(standard.greet("Doug")).isEqualTo("hello Doug");
		assertThat(flushes("delay")).isEqualTo(delayed);
	}

	@Test
	void equalBatching_sharesConnection() {
		reference(ReferenceOptions.defaults());
		reference(ReferenceOptions.defaults().withBatching(BatchingOptions.defaults()));
		reference(ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(7)));
		assertThat(connections()).isEqualTo(1);
		reference(ReferenceOptions.defaults().withBatching(ALWAYS));
		reference(ReferenceOptions.defaults()
			.withBatching(BatchingOptions.defaults()
				.withMode(Mode.ALWAYS)
				.withMaxMessages(100)
				.withMaxBytes(64 * 1024)
				.withMaxDelay(Duration.ofMillis(5))));
		assertThat(connections()).isEqualTo(2);
		reference(ReferenceOptions.defaults()
			.withBatching(BatchingOptions.defaults()
				.withMode(Mode.ALWAYS)
				.withMaxMessages(100)
				.withMaxBytes(64 * 1024)
				.withMaxDelay(Duration.ofMillis(6))));
		assertThat(connections()).isEqualTo(3);
	}

	private double connections() {
		return this.meters.get("rpc.client.connections").tag("state", "ready").gauge().value();
	}

	private double flushes(String reason) {
		return this.meters.get("rpc.client.flushes").tag("reason", reason).functionCounter().count();
	}

}
