package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.history.HistoryValue;
import io.rpcboot.metrics.history.ManualHistory;
import io.rpcboot.metrics.history.MethodStats;
import io.rpcboot.metrics.history.NotedCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopMethodsTests {

	private final ManualHistory manual = new ManualHistory();

	@Test
	void method_isTracked_fromItsFirstCall() {
		CallRecorder called = this.manual.client(0);
		this.manual.client(1);
		ManualHistory.call(called);
		this.manual.tick();
		assertThat(this.manual.stats(Side.CLIENT, 0).tracked()).isTrue();
		assertThat(this.manual.series(Side.CLIENT, 0).calls()).containsExactly(1);
		assertThat(this.manual.stats(Side.CLIENT, 1).tracked()).isFalse();
	}

	@Test
	void busiestMethods_areTrackedOutOfTenThousand() {
		List<CallRecorder> recorders = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			recorders.add(this.manual.client(i));
			ManualHistory.call(recorders.get(i));
		}
		for (int i = 5_000; i < 5_064; i++) {
			ManualHistory.calls(recorders.get(i), i - 4_990);
		}
		this.manual.tick();
		List<MethodStats> all = this.manual.history.methods();
		assertThat(all).hasSize(10_000)
			.isSortedAccordingTo((a, b) -> Double.compare(b.callsPerSecond(), a.callsPerSecond()));
		assertThat(all.subList(0, 64)).allSatisfy((each) -> assertThat(each.tracked()).isTrue());
		assertThat(all.stream().filter(MethodStats::tracked)).hasSize(64);
		assertThat(all.get(0).calls()).isEqualTo(74);
		assertThat(all.get(9_999).calls()).isEqualTo(1);
		assertThat(this.manual.history.busiest(20)).isEqualTo(all.subList(0, 20));
		assertThat(this.manual.last(HistoryValue.CLIENT_CALLS) * 5).isEqualTo(10_000 + 64 * 10 + 63 * 64 / 2);
	}

	@Test
	void sides_trackTheirOwnBusiestMethods() {
		for (int i = 0; i < 64; i++) {
			ManualHistory.calls(this.manual.client(i), 100);
			ManualHistory.call(this.manual.server(i));
		}
		this.manual.tick();
		assertThat(this.manual.history.methods()).hasSize(128).allMatch(MethodStats::tracked);
	}

	@Test
	void trackedMethod_isReplacedOnlyByClearlyBusierMethod() {
		for (int i = 0; i < 64; i++) {
			ManualHistory.calls(this.manual.client(i), 100);
		}
		this.manual.tick();
		ManualHistory.calls(this.manual.client(64), 125);
		this.manual.tick();
		assertThat(this.manual.stats(Side.CLIENT, 64).tracked()).isFalse();
		ManualHistory.call(this.manual.client(64));
		this.manual.tick();
		assertThat(this.manual.stats(Side.CLIENT, 64).tracked()).isTrue();
		assertThat(this.manual.history.methods().stream().filter(MethodStats::tracked)).hasSize(64);
	}

	@Test
	void callCounts_areExact_whileTrackedMethodsChange() {
		long[] expected = new long[200];
		long total = 0;
		for (int round = 0; round < 60; round++) {
			for (int i = 0; i < 200; i++) {
				int calls = ((i + round * 37) % 200 < 50) ? 40 : i % 3;
				ManualHistory.calls(this.manual.client(i), calls);
				this.manual.client(i).record(RpcStatus.INTERNAL, 1, "");
				expected[i] += calls + 1;
				total += calls + 1;
			}
			this.manual.tick();
		}
		for (int i = 0; i < 200; i++) {
			assertThat(this.manual.stats(Side.CLIENT, i).calls()).as("method %d", i).isEqualTo(expected[i]);
			assertThat(this.manual.stats(Side.CLIENT, i).errors()).isEqualTo(60);
		}
		double counted = 0;
		for (double each : this.manual.history.values(0).values().get("clientCalls")) {
			counted += each * 5;
		}
		assertThat(Math.round(counted)).isEqualTo(total);
	}

	@Test
	void idleMethod_isForgotten_after15Minutes() {
		ManualHistory.call(this.manual.client(0));
		this.manual.ticks(180);
		assertThat(this.manual.stats(Side.CLIENT, 0).tracked()).isTrue();
		this.manual.tick();
		assertThat(this.manual.stats(Side.CLIENT, 0).tracked()).isFalse();
		assertThat(this.manual.history.method(Side.CLIENT, "app.Service0", ManualHistory.method(0).signature(), 0))
			.isEmpty();
		ManualHistory.calls(this.manual.client(0), 2);
		this.manual.tick();
		assertThat(this.manual.stats(Side.CLIENT, 0).tracked()).isTrue();
		assertThat(this.manual.stats(Side.CLIENT, 0).calls()).isEqualTo(3);
	}

	@Test
	void methodsBeyondBound_countInTotalsOnly() {
		for (int i = 0; i < 10_000; i++) {
			this.manual.client(i);
		}
		CallRecorder beyond = this.manual.client(10_000);
		ManualHistory.calls(beyond, 5);
		beyond.record(RpcStatus.INTERNAL, 1, "");
		this.manual.tick();
		assertThat(this.manual.history.methods()).hasSize(10_000);
		assertThat(this.manual.history.methods(Side.CLIENT, "app.Service500")).isEmpty();
		assertThat(this.manual.last(HistoryValue.CLIENT_CALLS)).isEqualTo(1.2);
		assertThat(this.manual.history.failed()).singleElement()
			.extracting(NotedCall::service)
			.isEqualTo("app.Service500");
	}

	@Test
	void stripes_arePowersOfTwoUpTo16() {
		assertThat(TopMethods.stripes(1)).isEqualTo(1);
		assertThat(TopMethods.stripes(2)).isEqualTo(2);
		assertThat(TopMethods.stripes(3)).isEqualTo(4);
		assertThat(TopMethods.stripes(4)).isEqualTo(4);
		assertThat(TopMethods.stripes(96)).isEqualTo(16);
	}

}
