package io.rpcboot.spring.actuate.findings;

import java.time.Duration;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.server.Dispatch;
import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of slow methods and of methods that block an event loop. */
class LatencyChecksTests {

	private static MethodStats method(Side side, String name, int p50Millis, int p99Millis) {
		return DiagnosticSnapshots.method(side, "demo.Stock", name, Duration.ofMillis(p50Millis),
				Duration.ofMillis(p99Millis));
	}

	@Test
	void method_isFound_whenMuchSlowerThanOthers() {
		assertThat(new DiagnosticSnapshots()
			.methods(method(Side.SERVER, "count()", 1, 2), method(Side.SERVER, "list()", 1, 3),
					method(Side.SERVER, "report()", 300, 900))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.NOTE);
				assertThat(finding.text()).isEqualTo("demo.Stock.report() is much slower than the others: "
						+ "900 ms (p99 of the last five minutes), and half of the methods have at most 3.00 ms.");
				assertThat(finding.property()).isEqualTo("rpc.server.services.<name>.methods.<method>.max-threads");
				assertThat(finding.link()).isEqualTo("#/methods/server/demo.Stock/report%28%29");
			});
	}

	@Test
	void slowMethod_isFound_withTwoMethods() {
		assertThat(new DiagnosticSnapshots()
			.methods(method(Side.CLIENT, "count()", 1, 2), method(Side.CLIENT, "report()", 300, 900))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.property()).as("a client limits no threads of a server").isNull();
				assertThat(finding.advice()).startsWith("The dashboard of the server shows");
			});
	}

	@Test
	void slowMethod_isFoundOnce_whenItAlsoFails() {
		MethodStats report = new MethodStats(Side.CLIENT, "demo.Stock", "report()", 10, 9, 600, 500,
				Duration.ofSeconds(3).toNanos(), Duration.ofSeconds(3).toNanos(), 1, 0, 0, true);
		assertThat(new DiagnosticSnapshots().methods(method(Side.CLIENT, "count()", 1, 2), report).find())
			.extracting(Finding::kind)
			.containsExactly("FAILING_METHOD");
	}

	@Test
	void slowMethod_isFoundOnce_withClientAndServerInOneProcess() {
		assertThat(new DiagnosticSnapshots().service("demo.Stock", "report()", Dispatch.POOL)
			.methods(method(Side.SERVER, "count()", 1, 2), method(Side.SERVER, "report()", 300, 900),
					method(Side.CLIENT, "count()", 1, 2), method(Side.CLIENT, "report()", 300, 900))
			.find()).extracting(Finding::link).containsExactly("#/methods/server/demo.Stock/report%28%29");
	}

	@Test
	void method_isNotFound_whenFastOrSimilarOrSingle() {
		assertThat(new DiagnosticSnapshots()
			.methods(method(Side.SERVER, "count()", 100, 300), method(Side.SERVER, "list()", 100, 900))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots()
			.methods(method(Side.SERVER, "count()", 0, 1), method(Side.SERVER, "list()", 50, 99))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().methods(method(Side.SERVER, "count()", 3000, 9000)).find()).isEmpty();
	}

	@Test
	void blockingMethod_isFound_onEventLoop() {
		assertThat(new DiagnosticSnapshots().service("demo.Stock", "count()", Dispatch.EVENT_LOOP)
			.methods(method(Side.SERVER, "count()", 5, 9))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text()).isEqualTo("demo.Stock.count() runs on the event loop and takes 5.00 ms "
						+ "(median): all connections of its loop wait meanwhile.");
				assertThat(finding.property()).isEqualTo("rpc.server.services.<name>.methods.<method>.dispatch");
			});
	}

	@Test
	void blockingMethod_isNotFound_whenOnPoolOrFast() {
		assertThat(new DiagnosticSnapshots().service("demo.Stock", "count()", Dispatch.POOL)
			.methods(method(Side.SERVER, "count()", 50, 90))
			.find()).isEmpty();
		assertThat(new DiagnosticSnapshots().service("demo.Stock", "count()", Dispatch.EVENT_LOOP)
			.methods(method(Side.SERVER, "count()", 4, 90))
			.find()).isEmpty();
	}

}
