package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.Arrays;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import io.rpcboot.spring.actuate.findings.DiagnosticSnapshot.RecentCalls;
import io.rpcboot.transport.BatchingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of failing methods. */
class ErrorChecksTests {

	private static MethodStats failing(Side side, double errorsPerSecond, long errors) {
		return new MethodStats(side, "demo.Stock", "count()", 10, errorsPerSecond, 600, errors, 1, 1, 1, 0, 0, true);
	}

	private static MethodStats failing(double errorsPerSecond, long errors) {
		return failing(Side.CLIENT, errorsPerSecond, errors);
	}

	private static NotedCall[] failed(RpcStatus... statuses) {
		return Arrays.stream(statuses)
			.map((each) -> DiagnosticSnapshots.failedCall("10.0.0.5:9090", each, Duration.ZERO))
			.toArray(NotedCall[]::new);
	}

	@Test
	void deniedRetries_areFoundWithBudgetProperty() {
		double[] recent = new double[60];
		recent[57] = 0.4;
		assertThat(new DiagnosticSnapshots().past("deniedRetries", recent).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.kind()).isEqualTo("DENIED_RETRIES");
				assertThat(finding.text()).isEqualTo("2 failed calls of idempotent methods were not retried in the "
						+ "last minute, last 10 s ago: the retry budget is exhausted.");
				assertThat(finding.property()).isEqualTo("rpc.client.retry.budget");
			});
		double[] before = new double[60];
		before[40] = 5;
		assertThat(new DiagnosticSnapshots().past("deniedRetries", before).find()).as("a minute ago").isEmpty();
	}

	@Test
	void failingMethod_isFound() {
		assertThat(new DiagnosticSnapshots().methods(failing(2.5, 40)).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.ERROR);
			assertThat(finding.text())
				.isEqualTo("25 % of the calls of demo.Stock.count() fail at this client, 2.5 in a second.");
			assertThat(finding.link()).isEqualTo("#/methods/client/demo.Stock/count%28%29");
		});
	}

	@Test
	void method_isNotFound_withFewFailures() {
		assertThat(new DiagnosticSnapshots().methods(failing(0.4, 40)).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().methods(failing(2.5, 9)).find()).isEmpty();
		assertThat(new DiagnosticSnapshots().methods(failing(0, 4000)).find()).as("of before").isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "9, false", "10, true" })
	void failuresBeforeLastFiveMinutes_doNotCount(long recentFailures, boolean isFound) {
		MethodStats method = failing(2.5, 4000);
		assertThat(new DiagnosticSnapshots().methods(method)
			.recentCalls(method, new RecentCalls(4, 1, 1, 1, recentFailures))
			.find()).hasSize(isFound ? 1 : 0);
	}

	@ParameterizedTest
	@CsvSource({ "0.3, false", "0.4, true" })
	void rateOfLastMinute_isUsed_withoutTimeSeries(double errorsPerSecond, boolean isFound) {
		MethodStats method = new MethodStats(Side.CLIENT, "demo.Stock", "count()", 1, errorsPerSecond, 60_000, 4000, 1,
				1, 1, 0, 0, false);
		assertThat(new DiagnosticSnapshots().methods(method).find()).hasSize(isFound ? 1 : 0);
	}

	@Test
	void finding_namesMostFrequentStatus() {
		assertThat(new DiagnosticSnapshots().methods(failing(2.5, 40))
			.failed(failed(RpcStatus.UNAVAILABLE, RpcStatus.APPLICATION, RpcStatus.APPLICATION))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).endsWith("2.5 in a second: APPLICATION, "
						+ "the implementation throws an exception that it does not declare.");
				assertThat(finding.advice())
					.isEqualTo("The log of the server has the stack trace (Undeclared exception).");
			});
	}

	@ParameterizedTest
	@EnumSource(value = RpcStatus.class, mode = EnumSource.Mode.EXCLUDE, names = { "OK", "DECLARED", "CANCELLED" })
	void failureStatus_hasTextAndAdvice_onBothSides(RpcStatus status) {
		for (Side side : Side.values()) {
			NotedCall call = new NotedCall(DiagnosticSnapshots.NOW.toEpochMilli(), side, "demo.Stock", "count()", "",
					status, 1, 0, false, null, null, null, null);
			assertThat(new DiagnosticSnapshots().methods(failing(side, 2.5, 40)).failed(call).find()).singleElement()
				.satisfies((finding) -> {
					assertThat(finding.text()).matches(".*: " + status + ", [a-z].*\\.");
					assertThat(finding.advice()).isNotEmpty();
				});
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVER, PERMISSION_DENIED, WARNING", "SERVER, UNAUTHENTICATED, WARNING",
			"SERVER, INVALID_ARGUMENT, WARNING", "SERVER, DEADLINE_EXCEEDED, WARNING", "SERVER, CANCELLED, WARNING",
			"SERVER, RESOURCE_EXHAUSTED, WARNING", "SERVER, NOT_FOUND, WARNING", "SERVER, APPLICATION, ERROR",
			"SERVER, UNAVAILABLE, ERROR", "CLIENT, PERMISSION_DENIED, ERROR", "CLIENT, DEADLINE_EXCEEDED, ERROR" })
	void callsOfStrangers_areNoError_atTheServer(Side side, RpcStatus status, Severity severity) {
		NotedCall call = new NotedCall(DiagnosticSnapshots.NOW.toEpochMilli(), side, "demo.Stock", "count()", "",
				status, 1, 0, false, null, null, null, null);
		assertThat(new DiagnosticSnapshots().methods(failing(side, 2.5, 40)).failed(call).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(severity);
				assertThat(finding.text()).doesNotContain("interceptor");
				assertThat(finding.advice()).doesNotContain("attachments");
			});
	}

	@Test
	void finding_saysCallsWereNotSent_whenMostExpiredUnsent() {
		NotedCall unsent = DiagnosticSnapshots.failedCall("", RpcStatus.DEADLINE_EXCEEDED, Duration.ZERO);
		NotedCall sent = DiagnosticSnapshots.failedCall("10.0.0.5:9090", RpcStatus.DEADLINE_EXCEEDED, Duration.ZERO);
		assertThat(new DiagnosticSnapshots().methods(failing(2.5, 40)).failed(unsent, unsent, sent).find())
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text()).endsWith(": DEADLINE_EXCEEDED, they expired before they were sent.");
				assertThat(finding.advice()).startsWith("They wait in this client");
			});
		assertThat(new DiagnosticSnapshots().methods(failing(2.5, 40)).failed(unsent, sent).find())
			.extracting(Finding::text)
			.allSatisfy((text) -> assertThat(text).endsWith(": DEADLINE_EXCEEDED, no answer came in time."));
	}

	@Test
	void recentCalls_outweighLastMinute() {
		MethodStats method = failing(2.5, 40);
		assertThat(new DiagnosticSnapshots().methods(method)
			.recentCalls(method, new RecentCalls(30, 30, 10, 10, 30))
			.find()).singleElement()
			.satisfies((finding) -> assertThat(finding.text()).startsWith("100 % of the calls")
				.contains("2.0 in a second"));
		assertThat(
				new DiagnosticSnapshots().methods(method).recentCalls(method, new RecentCalls(30, 0, 10, 0, 30)).find())
			.isEmpty();
		assertThat(
				new DiagnosticSnapshots().methods(method).recentCalls(method, new RecentCalls(9, 0, 3, 0, 30)).find())
			.as("too few calls since")
			.hasSize(1);
	}

	@Test
	void finding_ends_afterSignificantIntervalWithoutFailure() {
		MethodStats method = failing(2.5, 40);
		assertThat(new DiagnosticSnapshots().methods(method)
			.recentCalls(method, new RecentCalls(30, 15, 10, 0, 15))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().methods(method)
			.recentCalls(method, new RecentCalls(30, 14, 10, 0, 14))
			.find()).hasSize(1);
		assertThat(new DiagnosticSnapshots().methods(method)
			.recentCalls(method, new RecentCalls(30, 15, 10, 1, 15))
			.find()).hasSize(1);
	}

	@Test
	void cancelledCalls_areWarning() {
		assertThat(new DiagnosticSnapshots().methods(failing(2.5, 40)).failed(failed(RpcStatus.CANCELLED)).find())
			.singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text()).isEqualTo("25 % of the calls of demo.Stock.count() were given up by their "
						+ "callers (2.5 in a second), after 3.0 s (median).");
			});
	}

	@Test
	void cancelledCalls_nameApplicationThatGaveThemUp() {
		NotedCall call = new NotedCall(DiagnosticSnapshots.NOW.toEpochMilli(), Side.SERVER, "demo.Stock", "count()",
				"10.0.0.1:4000", RpcStatus.CANCELLED, Duration.ofMillis(500).toNanos(), 0, false, null, null, null,
				null);
		assertThat(new DiagnosticSnapshots().methods(failing(Side.SERVER, 2.5, 40))
			.failed(call)
			.serverConnections(
					DiagnosticSnapshots.connection("10.0.0.1:4000", "orders", BatchingOptions.Mode.AUTO, 1, 1))
			.find()).singleElement()
			.satisfies((finding) -> assertThat(finding.text()).isEqualTo("25 % of the calls of demo.Stock.count() "
					+ "were given up by their callers (2.5 in a second), mostly orders, after 500 ms (median)."));
	}

	@Test
	void missingInstance_replacesFailingMethodFinding_whenUnavailable() {
		DiagnosticSnapshots situations = new DiagnosticSnapshots().methods(failing(2.5, 40))
			.references(DiagnosticSnapshots.reference("demo.Stock",
					DiagnosticSnapshots.instance("10.0.0.5", State.BACKING_OFF, 0, "cannot connect")));
		assertThat(situations.failed(failed(RpcStatus.UNAVAILABLE)).find()).extracting(Finding::kind)
			.containsExactly("NO_INSTANCE");
		assertThat(situations.failed(failed(RpcStatus.APPLICATION)).find()).extracting(Finding::kind)
			.containsExactly("NO_INSTANCE", "FAILING_METHOD");
	}

}
