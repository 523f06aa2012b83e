package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of calls that wait although no resource is exhausted. */
class QueueingChecksTests {

	private static ServiceInfo service(String name, @Nullable Integer maxThreads, Map<String, Integer> methods) {
		return new ServiceInfo(ServiceId.parse(name), List.of(), "hash", List.of("protostuff"), maxThreads, methods,
				null, 0, List.of(), List.of(), List.of(), 1, null, null);
	}

	@Test
	void callsAwaitingThread_areFoundWithLimit_whenThreadsAreFree() {
		assertThat(new DiagnosticSnapshots()
			.services(service("demo.Stock", 2, Map.of()), service("demo.Prices", null, Map.of()))
			.past("poolWaiting", 12)
			.past("poolBusy", 2)
			.methods(
					DiagnosticSnapshots.method(Side.SERVER, "demo.Stock", "count()", Duration.ofMillis(1),
							Duration.ofMillis(2)),
					DiagnosticSnapshots.method(Side.SERVER, "demo.Stock", "report()", Duration.ofMillis(1500),
							Duration.ofMillis(1500)))
			.find()).filteredOn((each) -> each.kind().equals("LIMITED_THREADS"))
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text())
					.isEqualTo("At least 12 calls of demo.Stock wait for a thread, because it may "
							+ "use 2 threads, although 198 of 200 are idle.");
				assertThat(finding.advice()).contains("Most of the time goes to demo.Stock.report(): ");
				assertThat(finding.link()).isEqualTo("#/services/demo.Stock");
				assertThat(finding.property()).isEqualTo("rpc.server.services.Stock.max-threads");
				assertThat(finding.advice())
					.endsWith("Raise rpc.server.services.Stock.max-threads (2 now), or make it faster.");
			});
	}

	@Test
	void limitOfMethod_isNamedWithItsProperty() {
		assertThat(new DiagnosticSnapshots().services(service("demo.Stock", null, Map.of("slow", 1)))
			.past("poolWaiting", 6)
			.past("poolBusy", 1)
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).isEqualTo("At least 6 calls of demo.Stock.slow wait for a thread, "
						+ "because it may use 1 thread, although 199 of 200 are idle.");
				assertThat(finding.property()).isEqualTo("rpc.server.services.Stock.methods.slow.max-threads");
			});
	}

	@Test
	void limitOfServer_isNotFound_whileNoCallExpires() {
		DiagnosticSnapshots waiting = new DiagnosticSnapshots()
			.services(service("demo.Stock", null, Map.of()), service("demo.Prices", null, Map.of()))
			.past("poolWaiting", 30)
			.past("poolBusy", 1);
		assertThat(waiting.find()).as("calls wait on purpose").isEmpty();
		assertThat(waiting.past("expired", 1).find()).extracting(Finding::text)
			.anySatisfy((text) -> assertThat(text)
				.startsWith("At least 30 calls wait for a thread, because the server measured that more threads at "
						+ "once would not be faster, although 199 of 200 are idle."));
	}

	@Test
	void callsAwaitingThread_areOneError_whenCallsExpire() {
		assertThat(new DiagnosticSnapshots()
			.services(service("demo.Stock", null, Map.of("report", 2)), service("demo.Prices", 3, Map.of()))
			.past("poolWaiting", 1)
			.past("poolBusy", 5)
			.past("expired", 0.5)
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.ERROR);
				assertThat(finding.text()).isEqualTo("At least 1 call waits for a thread, because a limit is reached: "
						+ "demo.Stock.report may use 2 threads, demo.Prices may use 3 threads, although 195 of 200 are "
						+ "idle. 30 calls expired in the last minute.");
			});
	}

	@Test
	void callsAwaitingThread_areNotFound_whenRareOrPoolIsFull() {
		double[] waiting = new double[60];
		Arrays.fill(waiting, 500);
		waiting[58] = 0;
		assertThat(new DiagnosticSnapshots().past("poolWaiting", waiting).past("poolBusy", 2).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().past("poolWaiting", 12).past("poolBusy", 190).find()).isEmpty();
	}

	@Test
	void callsAwaitingGrant_areFound_whenInstanceIsReady() {
		DiagnosticSnapshots ready = new DiagnosticSnapshots().references(DiagnosticSnapshots.reference("demo.Stock",
				DiagnosticSnapshots.instance("10.0.0.5", State.READY, 0, "")));
		assertThat(ready.past("held", 16).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.NOTE);
			assertThat(finding.text())
				.isEqualTo("This client has more calls than its servers take: on average 16 calls wait for a grant.");
		});
		assertThat(ready.past("held", 15).find()).isEmpty();
		assertThat(new DiagnosticSnapshots()
			.references(DiagnosticSnapshots.reference("demo.Stock",
					DiagnosticSnapshots.instance("10.0.0.5", State.CONNECTING, 0, "")))
			.past("held", 500)
			.find()).isEmpty();
	}

	private static DiagnosticSnapshots loops(String side, double busy, double cpu) {
		return new DiagnosticSnapshots().past(side + "LoopsBusy", busy).past(side + "Loops", 2).past("processCpu", cpu);
	}

	@Test
	void eventLoop_isFoundBlocked_whenBusyWithoutCpuTime() {
		assertThat(QueueingChecks.blockedLoops(loops("client", 0.47, 0.014).build(), 2)).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text()).isEqualTo(
						"Something blocks an event loop, or this machine gives it no processor: in the last 20 s "
								+ "the loops of the client were busy for 94 % of the time of one thread, "
								+ "and the whole process computed for 3 %.");
				assertThat(finding.property()).isEqualTo("rpc.client.callbacks");
				assertThat(finding.advice()).contains("thread rpc-client-loop");
			});
		assertThat(QueueingChecks.blockedLoops(loops("server", 0.5, 0.01).build(), 2)).extracting(Finding::property)
			.containsExactly("rpc.server.services.<name>.methods.<method>.dispatch");
	}

	@ParameterizedTest
	@CsvSource({ "0.9, false", "0.5, false", "0.1, true", "0, true" })
	void eventLoop_isFoundBlocked_unlessItWaitsForProcessor(double waiting, boolean found) {
		List<Finding> findings = QueueingChecks
			.blockedLoops(loops("client", 0.47, 0.014).past("loopsWaiting", waiting).build(), 2);
		assertThat(findings).hasSize(found ? 1 : 0)
			.allSatisfy((finding) -> assertThat(finding.text()).startsWith("Something blocks an event loop: in")
				.contains("; they waited for a processor for "));
	}

	@Test
	void eventLoop_isNotFound_whenComputingOrIdle() {
		assertThat(QueueingChecks.blockedLoops(loops("client", 0.47, 0.4).build(), 2)).as("work").isEmpty();
		assertThat(QueueingChecks.blockedLoops(loops("client", 0.24, 0.001).build(), 2)).as("rest").isEmpty();
		assertThat(QueueingChecks.blockedLoops(new DiagnosticSnapshots().past("clientLoopsBusy", 1).build(), 2))
			.isEmpty();
	}

	@Test
	void blockedLoopFinding_isImplied_whenBlockingMethodIsFound() {
		DiagnosticSnapshots situations = loops("server", 1, 0).service("demo.Stock", "count()", Dispatch.EVENT_LOOP)
			.methods(DiagnosticSnapshots.method(Side.SERVER, "demo.Stock", "count()", Duration.ofMillis(100),
					Duration.ofMillis(100)));
		assertThat(situations.find()).extracting(Finding::kind).containsExactly("BUSY_LOOPS", "BLOCKING_METHOD");
		assertThat(new Diagnostics().of(situations.build()).implied()).extracting(Finding::kind)
			.containsExactly("BLOCKED_LOOPS");
	}

	private static double[] slower(double before, double now) {
		double[] values = new double[60];
		Arrays.fill(values, before);
		Arrays.fill(values, 55, 60, now);
		return values;
	}

	@Test
	void slowerCalls_areFound_withoutOtherFinding() {
		DiagnosticSnapshots situations = new DiagnosticSnapshots().past("clientP50", slower(0.3, 200));
		assertThat(situations.find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.NOTE);
			assertThat(finding.text()).isEqualTo("Calls take longer than usual at this client: 200 ms (median), "
					+ "and 0.30 ms in the quieter part of the last 15 minutes.");
			assertThat(finding.link()).isEqualTo("#/calls");
		});
		assertThat(situations.calls(1000, 0).find()).extracting(Finding::kind).containsExactly("FULL_CLIENT");
	}

	@Test
	void slowerCallsOfBothSides_haveSeparateStartTimes() {
		FindingHistory history = new FindingHistory();
		DiagnosticSnapshots onlyServer = new DiagnosticSnapshots().past("serverP50", slower(0.3, 200));
		history.record(new Diagnostics().of(onlyServer.build()), DiagnosticSnapshots.NOW);
		Instant later = DiagnosticSnapshots.NOW.plusSeconds(30);
		DiagnosticSnapshots both = new DiagnosticSnapshots().past("serverP50", slower(0.3, 200))
			.past("clientP50", slower(0.3, 200));
		assertThat(history.record(new Diagnostics().of(both.build()), later)).extracting(Finding::since)
			.containsExactlyInAnyOrder(DiagnosticSnapshots.NOW.toEpochMilli(), later.toEpochMilli());
		DiagnosticSnapshots onlyClient = new DiagnosticSnapshots().past("clientP50", slower(0.3, 200));
		Instant last = later.plusSeconds(30);
		history.record(new Diagnostics().of(onlyClient.build()), last);
		assertThat(history.ended(last)).singleElement()
			.satisfies((ended) -> assertThat(ended.text()).contains("at this server"));
	}

	@Test
	void calls_areNotFound_whenFastOrAlwaysSlow() {
		assertThat(new DiagnosticSnapshots().past("clientP50", slower(0.3, 19)).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().past("serverP50", slower(21, 200)).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().past("serverP50", slower(Double.NaN, 200)).find()).isEmpty();
	}

}
