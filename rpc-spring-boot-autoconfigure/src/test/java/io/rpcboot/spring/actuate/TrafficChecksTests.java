package io.rpcboot.spring.actuate;

import io.rpcboot.spring.actuate.Finding.Severity;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is found of batches and of calls that vanish, and what is not. */
class TrafficChecksTests {

	@Test
	void batchingThatIsOffIsFoundWithManyCallers() {
		assertThat(
				new Situations().clientConnections(Situations.connection("10.0.0.5:9090", "stock", Mode.NEVER, 1, 200))
					.find())
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text())
					.isEqualTo("Average batch 1.0 with 200 calls under way: the batching mode of the client is never.");
				assertThat(finding.property()).isEqualTo("rpc.client.batching.mode");
				assertThat(finding.link()).isEqualTo("#/connections/client/10.0.0.5%3A9090");
			});
	}

	@Test
	void itIsFoundBetweenTwoBurstsToo() {
		assertThat(new Situations().past("inFlight", 30)
			.serverConnections(Situations.connection("10.0.0.7:1000", "shop", Mode.NEVER, 1, 0))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).startsWith("Average batch 1.0 with 30 calls under way");
				assertThat(finding.property()).isEqualTo("rpc.server.batching.mode");
			});
	}

	@Test
	void batchesFewCallersAndOtherModesAreNot() {
		assertThat(
				new Situations().clientConnections(Situations.connection("10.0.0.5:9090", "stock", Mode.NEVER, 1, 15))
					.find())
			.isEmpty();
		assertThat(new Situations().past("pending", 200)
			.clientConnections(Situations.connection("10.0.0.5:9090", "stock", Mode.AUTO, 1, 200))
			.find()).isEmpty();
		assertThat(new Situations().past("pending", 200).find()).as("no connection").isEmpty();
	}

	@Test
	void oneWayCallsThatVanishAreFound() {
		double[] lost = new double[60];
		lost[3] = 0.4;
		assertThat(new Situations().past("lostCalls", lost).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.WARNING);
			assertThat(finding.text()).isEqualTo("2 one-way calls were lost before the socket took them, "
					+ "in the last 5 minutes: no caller learns of it.");
		});
		double[] dropped = new double[60];
		dropped[59] = 0.2;
		assertThat(new Situations().past("droppedCalls", dropped).find()).extracting(Finding::text)
			.containsExactly("1 one-way call was dropped by this server before it began, "
					+ "in the last 5 minutes: no caller learns of it.");
	}

	@Test
	void callsWhoseTimeWasOverInAQueueAreFound() {
		assertThat(new Situations().past("expired", 1).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.text())
				.isEqualTo("The time of 300 calls was over before they were sent or run, in the last 5 minutes.");
			assertThat(finding.property()).isEqualTo("rpc.server.pool.max-threads");
		});
	}

	@Test
	void whereNothingWasLostOrIsKnownNothingIsFound() {
		assertThat(new Situations().past("lostCalls", 0).past("droppedCalls", 0).past("expired", 0).find()).isEmpty();
		assertThat(new Situations().past("lostCalls", Double.NaN).find()).isEmpty();
	}

	@Test
	void aHistoryThatIsOffIsNoted() {
		assertThat(new Situations().withoutHistory().find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.NOTE);
			assertThat(finding.property()).isEqualTo("rpc.history.enabled");
		});
	}

}
