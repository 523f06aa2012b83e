package io.rpcboot.spring.actuate.findings;

import java.util.Arrays;

import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of batches. */
class BatchingChecksTests {

	@Test
	void disabledBatching_isFound_withManyPendingCalls() {
		assertThat(new DiagnosticSnapshots()
			.clientConnections(DiagnosticSnapshots.connection("10.0.0.5:9090", "stock", Mode.NEVER, 1, 200))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text())
					.isEqualTo("Each frame is written by itself (1.0 in a flush) with 200 pending calls: "
							+ "the batching mode of the client is never.");
				assertThat(finding.property()).isEqualTo("rpc.client.batching.mode");
				assertThat(finding.link()).isEqualTo("#/connections/client/10.0.0.5%3A9090");
			});
	}

	@Test
	void disabledBatching_isFound_betweenBursts() {
		assertThat(new DiagnosticSnapshots().past("inFlight", 30)
			.serverConnections(DiagnosticSnapshots.connection("10.0.0.7:1000", "shop", Mode.NEVER, 1, 0))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).contains("with 30 pending calls");
				assertThat(finding.property()).isEqualTo("rpc.server.batching.mode");
			});
	}

	@Test
	void disabledBatching_isFound_whenServerFlushesOften() {
		DiagnosticSnapshots situations = new DiagnosticSnapshots()
			.serverConnections(DiagnosticSnapshots.connection("10.0.0.7:1000", "shop", Mode.NEVER, 1, 0));
		assertThat(situations.past("serverFlushes", 53000).find()).extracting(Finding::text)
			.containsExactly("Each frame is written by itself (1.0 in a flush) with 53,000 flushes in a second: "
					+ "the batching mode of the server is never.");
		assertThat(situations.past("serverFlushes", 999).find()).isEmpty();
	}

	@Test
	void disabledBatching_isNotFound_whenLoadHasEnded() {
		double[] pending = new double[60];
		Arrays.fill(pending, 0, 56, 200);
		assertThat(new DiagnosticSnapshots().past("pending", pending)
			.clientConnections(DiagnosticSnapshots.connection("10.0.0.5:9090", "stock", Mode.NEVER, 1, 0))
			.find()).isEmpty();
	}

	@Test
	void batching_isNotFound_withFewCallersOrOtherModes() {
		assertThat(new DiagnosticSnapshots()
			.clientConnections(DiagnosticSnapshots.connection("10.0.0.5:9090", "stock", Mode.NEVER, 1, 15))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().past("pending", 200)
			.clientConnections(DiagnosticSnapshots.connection("10.0.0.5:9090", "stock", Mode.AUTO, 1, 200))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().past("pending", 200).find()).as("no connection").isEmpty();
	}

	@Test
	void disabledHistory_isNoted() {
		assertThat(new DiagnosticSnapshots().withoutHistory().find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.NOTE);
			assertThat(finding.property()).isEqualTo("rpc.history.enabled");
		});
	}

}
