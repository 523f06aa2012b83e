package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.server.PoolInfo;
import io.rpcboot.server.PoolInfo.Exhaustion;
import io.rpcboot.server.PoolInfo.Holder;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.transport.BatchingOptions.Mode;
import io.rpcboot.transport.ConnectionInfo;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of capacity. */
class CapacityChecksTests {

	private static PoolInfo usedUp(Duration before) {
		return new PoolInfo(200, 200, 350, new Exhaustion(DiagnosticSnapshots.NOW.minus(before), 350,
				List.of(new Holder("demo.Report.render()", 180, 170, List.of("at x")))));
	}

	@Test
	void exhaustedPool_isFoundWithMethodsThatHoldThreads() {
		assertThat(new DiagnosticSnapshots().pool(usedUp(Duration.ofSeconds(90))).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.text()).isEqualTo("No thread of the pool (200) was free for 350 calls; "
						+ "demo.Report.render() had 180, 170 of them in the same call for a second or longer.");
				assertThat(finding.property()).isEqualTo("rpc.server.pool.max-threads");
			});
	}

	@Test
	void poolExhaustion_isNotFound_when3MinutesOld() {
		assertThat(new DiagnosticSnapshots().pool(usedUp(Duration.ofMinutes(3))).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().pool(new PoolInfo(200, 200, 10, null)).find()).isEmpty();
	}

	@Test
	void poolExhaustion_isNotFound_whenItsTimeIsFarInFuture() {
		assertThat(new DiagnosticSnapshots().pool(usedUp(Duration.ofHours(-1))).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().pool(usedUp(Duration.ofMillis(-5))).find()).as("seen a moment after")
			.hasSize(1);
	}

	@Test
	void memory_isFound_whenNearItsLimit() {
		assertThat(new DiagnosticSnapshots().past("serverMemory", 72).past("serverMemoryLimit", 100).find())
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text()).isEqualTo(
						"The memory account of the server is nearly full: at least 72 % of its limit was in use for a minute.");
				assertThat(finding.property()).isEqualTo("rpc.server.memory.limit");
			});
		assertThat(new DiagnosticSnapshots().past("clientMemory", 80).past("clientMemoryLimit", 100).find())
			.extracting(Finding::property)
			.containsExactly("rpc.client.memory.limit");
	}

	/** A few connections that do nothing can hold all of it. */
	@Test
	void holderOfMostMemory_isNamed() {
		assertThat(new DiagnosticSnapshots().past("serverMemoryWaiting", 50)
			.serverConnections(DiagnosticSnapshots.holder("10.0.0.7:1001", "shop", 30_000_000),
					DiagnosticSnapshots.holder("10.0.0.7:1002", "shop", 30_000_000),
					DiagnosticSnapshots.holder("10.0.0.8:1001", "", 40_000_000))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text())
					.endsWith(" shop on 10.0.0.7 holds most of it: 60 % of what connections hold.");
			});
		assertThat(new DiagnosticSnapshots().past("clientMemoryWaiting", 50)
			.clientConnections(DiagnosticSnapshots.holder("10.0.0.8:1001", "", 40_000_000))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).endsWith(" 10.0.0.8 holds most of it: 100 % of what connections hold.");
			});
	}

	@Test
	void callsAwaitingMemory_areFound_atAnyMemoryUse() {
		assertThat(new DiagnosticSnapshots().past("clientMemoryWaiting", 50)
			.past("clientMemory", 38)
			.past("clientMemoryLimit", 100)
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text())
					.isEqualTo("Calls wait for memory of the client: 50 or more at any time in the last 20 s.");
				assertThat(finding.property()).isEqualTo("rpc.client.memory.limit");
			});
		assertThat(new DiagnosticSnapshots().past("clientMemoryWaiting", 50).past("expired", 0.2).find())
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.text()).endsWith(" 12 calls expired in the last minute.");
			});
		double[] waiting = new double[60];
		Arrays.fill(waiting, 50);
		waiting[57] = 0;
		assertThat(new DiagnosticSnapshots().past("clientMemoryWaiting", waiting).find()).as("now and then").isEmpty();
	}

	@Test
	void memory_isNotFound_whenBelowLimitAtTimes() {
		double[] used = new double[60];
		Arrays.fill(used, 75);
		used[55] = 60;
		assertThat(new DiagnosticSnapshots().past("serverMemory", used).past("serverMemoryLimit", 100).find())
			.isEmpty();
		assertThat(new DiagnosticSnapshots().past("serverMemory", 90).find()).as("no limit is known").isEmpty();
	}

	@Test
	void busyEventLoops_areFound() {
		assertThat(new DiagnosticSnapshots().past("serverLoopsBusy", 0.93).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text())
					.isEqualTo("The event loops of the server worked for 93 % of the last minute.");
				assertThat(finding.property()).isEqualTo("rpc.server.event-loop.threads");
			});
	}

	@Test
	void eventLoops_areNotFound_withIdleTime() {
		double[] busy = new double[60];
		Arrays.fill(busy, 0, 48, 1);
		Arrays.fill(busy, 48, 60, 0.89);
		assertThat(new DiagnosticSnapshots().past("clientLoopsBusy", busy).find()).isEmpty();
	}

	@Test
	void client_isFound_whenPendingCallsReachMaximum() {
		assertThat(new DiagnosticSnapshots().calls(1000, 0).find()).extracting(Finding::property)
			.containsExactly("rpc.client.max-pending-calls");
		assertThat(new DiagnosticSnapshots().calls(900, 5).find()).extracting(Finding::text)
			.containsExactly("900 calls are pending of at most 1000, and 5 wait.");
	}

	@Test
	void client_isNotFound_whenPendingCallsAreBelowMaximum() {
		assertThat(new DiagnosticSnapshots().calls(999, 0).find()).isEmpty();
	}

	private static final PoolInfo BUSY = new PoolInfo(200, 200, 3000, null);

	private static ConnectionInfo from(String remote, String application, int pending) {
		return DiagnosticSnapshots.connection(remote, application, Mode.AUTO, 10, pending);
	}

	@Test
	void flood_isFound_whenConnectionsOfOneHostHaveMostCalls() {
		assertThat(new DiagnosticSnapshots().pool(BUSY)
			.serverConnections(from("10.0.0.7:1000", "shop", 1000), from("10.0.0.7:1001", "shop", 2000),
					from("10.0.0.8:1000", "desk", 200))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).isEqualTo("shop on 10.0.0.7 floods this server: 3,000 of the 3,200 calls "
						+ "in flight are its own, and 3,000 calls wait for a thread.");
				assertThat(finding.property()).isEqualTo("rpc.server.limits.calls-per-connection");
				assertThat(finding.link()).isEqualTo("#/connections/server/10.0.0.7%3A1000");
			});
	}

	@Test
	void flood_isFoundByHistory_withOneClient() {
		PoolInfo idle = new PoolInfo(200, 1, 0, null);
		assertThat(new DiagnosticSnapshots().pool(idle)
			.past("poolWaiting", 750)
			.past("inFlight", 1500)
			.serverConnections(from("10.0.0.7:1000", "shop", 0))
			.find()).extracting(Finding::text)
			.containsExactly("shop on 10.0.0.7 floods this server: 1,500 of the 1,500 calls in flight are its own, "
					+ "and 750 calls wait for a thread.");
		assertThat(new DiagnosticSnapshots().pool(idle)
			.past("poolWaiting", 750)
			.past("inFlight", 127)
			.serverConnections(from("10.0.0.7:1000", "shop", 0))
			.find()).isEmpty();
	}

	@Test
	void flood_isNotFound_withEqualSharesOrFreeThreads() {
		assertThat(new DiagnosticSnapshots().pool(BUSY)
			.serverConnections(from("10.0.0.7:1000", "", 1000), from("10.0.0.8:1000", "", 1000),
					from("10.0.0.9:1000", "", 1000))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().pool(new PoolInfo(200, 20, 0, null))
			.serverConnections(from("10.0.0.7:1000", "shop", 3000))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().pool(BUSY).serverConnections(from("10.0.0.7:1000", "shop", 127)).find())
			.isEmpty();
	}

}
