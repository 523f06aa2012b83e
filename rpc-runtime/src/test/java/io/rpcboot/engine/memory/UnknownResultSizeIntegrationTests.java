package io.rpcboot.engine.memory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.memory.ReportServer.Reports;
import io.rpcboot.server.Dispatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of a method with long results after the start of its server, whose heap has no
 * room for the results of all of them.
 */
@Timeout(120)
class UnknownResultSizeIntegrationTests {

	private static final int CALLERS = 70;

	private static final int LONG = 7_000_000;

	private static final int SHORT = 100;

	@ParameterizedTest
	@ValueSource(ints = { 0, 8 })
	void longResults_leaveHeapToServer_afterShortResults(int shortResults) throws Exception {
		callersGetLongResults(Dispatch.POOL, shortResults);
	}

	@Test
	@Tag("jdk25")
	@EnabledForJreRange(min = JRE.JAVA_21)
	void longResults_leaveHeapToServer_onVirtualThreads() throws Exception {
		callersGetLongResults(Dispatch.VIRTUAL, 0);
	}

	private static void callersGetLongResults(Dispatch dispatch, int shortResults) throws Exception {
		try (ReportServer server = new ReportServer(dispatch); RpcClient client = client()) {
			Reports reports = client.reference(Reports.class, ReferenceStates.at(server.port()));
			for (int i = 0; i < shortResults; i++) {
				reports.print(SHORT, 0);
			}
			// the first of them shows the length of the others
			int first = (shortResults > 0) ? 1 : 0;
			for (int i = 0; i < first; i++) {
				assertThat(reports.print(LONG, 0)).hasSize(LONG);
			}
			reports.most();
			call(CALLERS, () -> assertThat(reports.print(LONG, 50)).hasSize(LONG));
			assertThat(server.isAlive()).isTrue();
			assertThat(reports.most()).isBetween(1, 4);
		}
	}

	/**
	 * The bound is that of a method: others go on, and it ends with the eighth result.
	 */
	@Test
	void shortResults_runTogether_onceTheirSizeIsKnown() throws Exception {
		try (ReportServer server = new ReportServer(Dispatch.POOL); RpcClient client = client()) {
			Reports reports = client.reference(Reports.class, ReferenceStates.at(server.port()));
			call(8, () -> reports.print(SHORT, 20));
			assertThat(reports.most()).as("with an unknown size").isBetween(1, 4);
			call(CALLERS, () -> reports.print(SHORT, 200));
			assertThat(reports.most()).isGreaterThan(CALLERS / 2);
		}
	}

	private static RpcClient client() {
		return RpcClient.builder().timeout(Duration.ofSeconds(60)).build();
	}

	private static void call(int callers, Runnable call) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(callers);
		try {
			List<? extends Future<?>> calls = IntStream.range(0, callers)
				.mapToObj((i) -> threads.submit(call))
				.toList();
			for (Future<?> each : calls) {
				each.get(100, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

}
