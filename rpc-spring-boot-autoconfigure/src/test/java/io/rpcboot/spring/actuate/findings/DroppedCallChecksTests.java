package io.rpcboot.spring.actuate.findings;

import java.util.List;
import java.util.Map;

import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.actuate.descriptor.Finding.Severity;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the checks of lost, dropped and expired calls. */
class DroppedCallChecksTests {

	private static double[] at(int index, double rate) {
		double[] values = new double[60];
		values[index] = rate;
		return values;
	}

	private static NotedCall failed(Side side, String method, RpcStatus status, boolean oneWay) {
		return new NotedCall(DiagnosticSnapshots.NOW.toEpochMilli(), side, "demo.Stock", method, "10.0.0.5:9090",
				status, 1, 0, oneWay, null, null, null, null);
	}

	@Test
	void lostOneWayCalls_areFound() {
		assertThat(new DiagnosticSnapshots().past("lostCalls", at(57, 0.4)).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARNING);
				assertThat(finding.text()).isEqualTo("2 one-way calls were lost before the socket took them, "
						+ "in the last 5 minutes, last 10 s ago: no caller learns of it.");
				assertThat(finding.link()).isNull();
			});
		assertThat(new DiagnosticSnapshots().past("droppedCalls", at(59, 0.2)).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text()).isEqualTo("1 one-way call was dropped by this server before it began, "
						+ "in the last 5 minutes, last 0 s ago: no caller learns of it.");
				assertThat(finding.property()).isEqualTo("rpc.server.limits.in-flight-calls");
			});
	}

	@Test
	void droppedCallFinding_namesLatestCall() {
		assertThat(new DiagnosticSnapshots().past("droppedCalls", at(59, 0.2))
			.failed(failed(Side.SERVER, "count()", RpcStatus.APPLICATION, false),
					failed(Side.CLIENT, "sent()", RpcStatus.UNAVAILABLE, true),
					failed(Side.SERVER, "looked()", RpcStatus.DEADLINE_EXCEEDED, true))
			.find()).singleElement().satisfies((finding) -> {
				assertThat(finding.text())
					.endsWith("no caller learns of it. The latest was demo.Stock.looked(): DEADLINE_EXCEEDED.");
				assertThat(finding.link()).isEqualTo("#/methods/server/demo.Stock/looked%28%29");
				assertThat(finding.property()).isEqualTo("rpc.server.pool.max-threads");
			});
	}

	@Test
	void callsExpiredInQueue_areFound() {
		assertThat(new DiagnosticSnapshots().past("expired", 1).find()).singleElement().satisfies((finding) -> {
			assertThat(finding.text()).isEqualTo(
					"300 calls expired in the last 5 minutes before they were sent or started, the latest 0 s ago.");
			assertThat(finding.property()).isEqualTo("rpc.server.pool.max-threads");
		});
	}

	@Test
	void expiredCallFinding_namesLimit_ofMethodThatExpires() {
		ServiceInfo service = new ServiceInfo(ServiceId.parse("demo.Stock"), List.of(), "hash", List.of("protostuff"),
				null, Map.of("slow", 1), null, 0, List.of(), List.of(), List.of(), 1, null, null);
		assertThat(new DiagnosticSnapshots().services(service)
			.past("expired", 1)
			.failed(failed(Side.SERVER, "other()", RpcStatus.APPLICATION, false),
					failed(Side.SERVER, "slow(int)", RpcStatus.DEADLINE_EXCEEDED, false))
			.find()).filteredOn((each) -> each.kind().equals("EXPIRED_CALLS")).singleElement().satisfies((finding) -> {
				assertThat(finding.text()).endsWith("0 s ago, mostly demo.Stock.slow(int), which may use 1 thread.");
				assertThat(finding.property()).isEqualTo("rpc.server.services.Stock.methods.slow.max-threads");
				assertThat(finding.advice())
					.endsWith("Raise rpc.server.services.Stock.methods.slow.max-threads (1 now), or make it faster.");
			});
	}

	@Test
	void expiredCallFinding_namesNoProperty_withoutServer() {
		assertThat(new DiagnosticSnapshots().withoutServer().past("expired", 1).find()).singleElement()
			.satisfies((finding) -> {
				assertThat(finding.text()).startsWith("300 calls expired in the last 5 minutes before they were sent,");
				assertThat(finding.property()).isNull();
				assertThat(finding.link()).isEqualTo("#/calls");
			});
	}

	@Test
	void droppedCalls_areNotFound_withoutLossOrData() {
		assertThat(new DiagnosticSnapshots().past("lostCalls", 0).past("droppedCalls", 0).past("expired", 0).find())
			.isEmpty();
		assertThat(new DiagnosticSnapshots().past("lostCalls", Double.NaN).find()).isEmpty();
	}

}
