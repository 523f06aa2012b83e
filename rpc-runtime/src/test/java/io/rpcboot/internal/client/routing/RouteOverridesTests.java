package io.rpcboot.internal.client.routing;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.fixture.TimedCalls;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the routes of calls that take a trial of an ejected instance. */
class RouteOverridesTests {

	private final TimedCalls calls = new TimedCalls();

	private static RoutingTable tableOfOne() {
		return new RoutingTable(CandidateSet.NONE, new ClientConnection[1][0], null, true);
	}

	private static RouteOverrides routes(List<HalfOpenProbe> probes) {
		return new RouteOverrides(Map.of(), "", Map.of(), RoutingTable.NONE, probes);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 5 })
	void call_takesOneTrial_whenSeveralAreOpen(int ejected) {
		List<RoutingTable> alone = IntStream.range(0, ejected).mapToObj((i) -> tableOfOne()).toList();
		List<HalfOpenProbe> probes = alone.stream().map((each) -> new HalfOpenProbe(each, true, () -> 0)).toList();
		RouteOverrides routes = routes(probes);
		RoutingTable all = new RoutingTable(CandidateSet.NONE, new ClientConnection[3][0], routes, false);
		for (int i = 1; i <= ejected; i++) {
			RoutingTable table = routes.toSend(this.calls.begins(), all);
			assertThat(alone).as("call %d tries an ejected instance", i).contains(table);
			assertThat(probes).filteredOn(HalfOpenProbe::isTaken).hasSize(i);
			assertThat(probes.get(alone.indexOf(table)).isTaken()).as("the trial of the instance that is called")
				.isTrue();
		}
		assertThat(routes.toSend(this.calls.begins(), all)).as("no trial is left").isSameAs(all);
	}

}
