package io.rpcboot.metrics.history;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RpcHistoryTests {

	private static final double OFF = 1 / 31.0;

	private final ManualHistory manual = new ManualHistory();

	@Test
	void unusedSide_hasNoValues() {
		ManualHistory.call(this.manual.client(0));
		this.manual.tick();
		Set<String> keys = this.manual.history.values(0).values().keySet();
		assertThat(keys).contains("clientCalls", "heapUsed").doesNotContain("serverCalls", "pending", "clientBatch");
	}

	@Test
	void callsOfServer_haveRateAndPercentiles() {
		CallRecorder tracked = this.manual.server(0);
		for (int i = 1; i <= 100; i++) {
			tracked.record(RpcStatus.OK, i * 1_000_000L, "peer:1");
		}
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_CALLS)).isEqualTo(20);
		assertThat(this.manual.last(HistoryValue.SERVER_ERRORS)).isZero();
		assertThat(this.manual.last(HistoryValue.SERVER_P50)).isCloseTo(50, within(50 * OFF));
		assertThat(this.manual.last(HistoryValue.SERVER_P99)).isCloseTo(99, within(99 * OFF));
		assertThat(this.manual.last(HistoryValue.SERVER_MAX)).isEqualTo(100);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_CALLS)).isZero();
		assertThat(this.manual.last(HistoryValue.SERVER_P50)).isNaN();
		assertThat(this.manual.last(HistoryValue.SERVER_MAX)).isNaN();
	}

	@Test
	void batch_isRecordedAsItsCalls() {
		CallRecorder recorder = this.manual.client(0);
		long[] nanos = { 1_000_000, 1_000_000, 9_000_000, 1_000_000, 777_000_000 };
		recorder.record(RpcStatus.OK, nanos, new long[4], 4, "peer:1");
		recorder.record(RpcStatus.UNAVAILABLE, nanos, new long[4], 2, "peer:2");
		this.manual.tick();
		MethodStats stats = this.manual.stats(Side.CLIENT, 0);
		assertThat(stats.calls()).isEqualTo(6);
		assertThat(stats.errors()).isEqualTo(2);
		assertThat(stats.maxNanos()).isEqualTo(9_000_000);
		assertThat((double) stats.p50Nanos()).isCloseTo(1e6, within(1e6 * OFF));
		assertThat(this.manual.history.slowest()).hasSize(6)
			.extracting(NotedCall::nanos)
			.startsWith(9_000_000L, 1_000_000L);
		assertThat(this.manual.history.failed()).hasSize(2);
	}

	/** Durations wait for the tick, errors do not. */
	@Test
	void errors_areNotMoreThanCalls_beforeTheTick() {
		CallRecorder recorder = this.manual.client(0);
		recorder.record(RpcStatus.UNAVAILABLE, 1, "");
		this.manual.tick();
		recorder.record(RpcStatus.UNAVAILABLE, 1, "");
		recorder.record(RpcStatus.UNAVAILABLE, 1, "");
		MethodStats before = this.manual.stats(Side.CLIENT, 0);
		assertThat(before.errors()).isEqualTo(before.calls());
		this.manual.tick();
		assertThat(this.manual.stats(Side.CLIENT, 0).errors()).isEqualTo(3);
	}

	@Test
	void failures_areCountedByStatus() {
		CallRecorder recorder = this.manual.client(0);
		recorder.record(RpcStatus.UNAVAILABLE, 1, "");
		recorder.record(RpcStatus.APPLICATION, 1, "");
		recorder.record(RpcStatus.APPLICATION, 1, "");
		recorder.record(RpcStatus.DECLARED, 1, "");
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.CLIENT_CALLS)).isEqualTo(0.8);
		assertThat(this.manual.last(HistoryValue.CLIENT_ERRORS)).isEqualTo(0.6);
		assertThat(this.manual.last("clientErrors.UNAVAILABLE")).isEqualTo(0.2);
		assertThat(this.manual.last("clientErrors.APPLICATION")).isEqualTo(0.4);
		assertThat(this.manual.history.values(0).values()).doesNotContainKeys("clientErrors.DECLARED",
				"clientErrors.CANCELLED", "clientErrors.OK");
		this.manual.tick();
		assertThat(this.manual.last("clientErrors.APPLICATION")).isZero();
		assertThat(this.manual.series(Side.CLIENT, 0).errors()).containsExactly(3, 0);
	}

	@Test
	void connectionsAndFlushes_areRecorded() {
		TransportRecorder recorder = this.manual.history.transport(Side.SERVER);
		recorder.connectionOpened("host:1", "app", 1);
		recorder.connectionOpened("host:1", "app", 1);
		recorder.connectionClosed("host:1", "app", "closed", 1);
		recorder.flushed(FlushReason.DRAINED, 1, 100);
		recorder.flushed(FlushReason.MESSAGES, 32, 100);
		recorder.stalled();
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_CONNECTIONS)).isEqualTo(1);
		assertThat(this.manual.last(HistoryValue.SERVER_BATCH)).isEqualTo(16.5);
		assertThat(this.manual.last(HistoryValue.SERVER_FLUSHES)).isEqualTo(0.4);
		assertThat(this.manual.last("serverFlushes.MESSAGES")).isEqualTo(0.2);
		assertThat(this.manual.last("serverFlushes.DELAY")).isZero();
		assertThat(this.manual.last(HistoryValue.SERVER_STALLS)).isEqualTo(0.2);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_BATCH)).isNaN();
		assertThat(this.manual.last(HistoryValue.SERVER_FLUSHES)).isZero();
	}

	@Test
	void gaugesOfAllClients_areSummed() throws Exception {
		AutoCloseable one = this.manual.history.gauge(Gauge.PENDING, () -> 3);
		this.manual.history.gauge(Gauge.PENDING, () -> 4);
		this.manual.history.gauge(Gauge.CLIENT_MEMORY_INCOMING, () -> 10);
		this.manual.history.gauge(Gauge.CLIENT_MEMORY_OUTGOING, () -> 5);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.PENDING)).isEqualTo(7);
		assertThat(this.manual.last(HistoryValue.CLIENT_MEMORY)).isEqualTo(15);
		one.close();
		one.close();
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.PENDING)).isEqualTo(4);
	}

	@Test
	void cumulativeGauge_isShownAsRate() throws Exception {
		AtomicLong lost = new AtomicLong();
		AutoCloseable first = this.manual.history.gauge(Gauge.LOST_CALLS, lost::get);
		lost.set(10);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.LOST_CALLS)).isEqualTo(2);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.LOST_CALLS)).isZero();
		lost.set(15);
		first.close();
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.LOST_CALLS)).isEqualTo(1);
		this.manual.history.gauge(Gauge.LOST_CALLS, () -> 20);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.LOST_CALLS)).isEqualTo(4);
	}

	@Test
	void registry_isConnected_whenAllRegistriesAre() {
		this.manual.history.gauge(Gauge.REGISTRY_CONNECTED, () -> 1);
		AtomicLong other = new AtomicLong(1);
		this.manual.history.gauge(Gauge.REGISTRY_CONNECTED, other::get);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.REGISTRY_CONNECTED)).isEqualTo(1);
		other.set(0);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.REGISTRY_CONNECTED)).isZero();
	}

	@Test
	void busyShareOfLoops_isComputed() {
		AtomicLong worked = new AtomicLong();
		this.manual.history.gauge(Gauge.SERVER_LOOP_NANOS, worked::get);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_LOOPS_BUSY)).isNaN();
		this.manual.history.gauge(Gauge.SERVER_LOOPS, () -> 4);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_LOOPS_BUSY)).isZero();
		worked.set(5_000_000_000L);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.SERVER_LOOPS_BUSY)).isEqualTo(0.25);
		assertThat(this.manual.last(HistoryValue.SERVER_LOOPS)).isEqualTo(4);
	}

	@Test
	void closedSide_causesNoPeak_whenItReturns() throws Exception {
		AutoCloseable server = this.manual.history.gauge(Gauge.SERVER_EXPIRED, () -> 500);
		this.manual.history.gauge(Gauge.CLIENT_EXPIRED, () -> 5);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.EXPIRED)).isEqualTo(101);
		server.close();
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.EXPIRED)).isZero();
		this.manual.history.gauge(Gauge.SERVER_EXPIRED, () -> 10);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.EXPIRED)).isEqualTo(2);
	}

	@Test
	void connectsOfClient_areCountedByOutcome() {
		TransportRecorder recorder = this.manual.history.transport(Side.CLIENT);
		recorder.connectionOpened("peer:1", "app", 1_000);
		recorder.connectFailed("peer:2", "refused", 1_000);
		recorder.connectFailed("peer:2", "refused", 1_000);
		recorder.connectionClosed("peer:1", "app", "bye", 1_000);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.CONNECTS)).isEqualTo(0.2);
		assertThat(this.manual.last(HistoryValue.CONNECT_FAILURES)).isEqualTo(0.4);
		assertThat(this.manual.last(HistoryValue.CLIENT_CONNECTIONS)).isZero();
	}

	@Test
	void gauge_isRead_withoutHoldingLock() {
		this.manual.history.gauge(Gauge.PENDING, () -> {
			CompletableFuture.runAsync(() -> {
				this.manual.history.gauge(Gauge.PENDING, () -> 1);
				ManualHistory.call(this.manual.client(0));
			}).orTimeout(10, TimeUnit.SECONDS).join();
			return 3;
		});
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.PENDING)).isEqualTo(3);
	}

	@Test
	void sharedGauge_isAddedOnce() throws Exception {
		AtomicLong lost = new AtomicLong(10);
		LongSupplier shared = lost::get;
		AutoCloseable first = this.manual.history.gauge(Gauge.LOST_CALLS, shared);
		this.manual.history.gauge(Gauge.LOST_CALLS, shared);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.LOST_CALLS)).isEqualTo(2);
		first.close();
		first.close();
		lost.set(20);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.LOST_CALLS)).isEqualTo(2);
	}

	@Test
	void failingGauge_isUnknownAndOtherValuesAreKept() {
		ManualHistory.calls(this.manual.client(0), 5);
		this.manual.history.gauge(Gauge.PENDING, () -> {
			throw new IllegalStateException("closed");
		});
		this.manual.history.gauge(Gauge.QUEUED, () -> 2);
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.PENDING)).isNaN();
		assertThat(this.manual.last(HistoryValue.QUEUED)).isEqualTo(2);
		assertThat(this.manual.last(HistoryValue.CLIENT_CALLS)).isEqualTo(1);
	}

	@Test
	void processValues_areRecorded() {
		this.manual.tick();
		assertThat(this.manual.last(HistoryValue.HEAP_USED)).isGreaterThan(1024 * 1024);
		assertThat(this.manual.last(HistoryValue.PROCESS_CPU)).isBetween(0.0, 1.0);
	}

	@Test
	void rates_coverLastMinute() {
		CallRecorder recorder = this.manual.client(0);
		for (int i = 0; i < 24; i++) {
			ManualHistory.calls(recorder, 50);
			recorder.record(RpcStatus.INTERNAL, 1, "");
			this.manual.tick();
			MethodStats stats = this.manual.stats(Side.CLIENT, 0);
			assertThat(stats.callsPerSecond()).isCloseTo(10.2, within(1e-6));
			assertThat(stats.errorsPerSecond()).isCloseTo(0.2, within(1e-6));
		}
		this.manual.ticks(12);
		assertThat(this.manual.stats(Side.CLIENT, 0).callsPerSecond()).isZero();
		assertThat(this.manual.stats(Side.CLIENT, 0).calls()).isEqualTo(24 * 51);
	}

	@Test
	void percentiles_coverLastFiveMinutes() {
		CallRecorder recorder = this.manual.client(0);
		recorder.record(RpcStatus.OK, 1_000_000_000, "");
		this.manual.tick();
		int ticks = 1;
		while (this.manual.stats(Side.CLIENT, 0).maxNanos() == 1_000_000_000) {
			ManualHistory.calls(recorder, 10);
			this.manual.tick();
			ticks++;
		}
		assertThat(ticks).isBetween(30, 61);
		assertThat(this.manual.stats(Side.CLIENT, 0).maxNanos()).isEqualTo(10_000_000);
	}

	@Test
	void methodSeries_haveCallsAndPercentilesOverTime() {
		CallRecorder recorder = this.manual.client(0);
		this.manual.tick();
		ManualHistory.calls(recorder, 100);
		this.manual.tick();
		this.manual.tick();
		MethodSeries series = this.manual.series(Side.CLIENT, 0);
		assertThat(series.stepMillis()).isEqualTo(5_000);
		assertThat(series.times()).containsExactly(ManualHistory.START + 10_000, ManualHistory.START + 15_000);
		assertThat(series.calls()).containsExactly(100, 0);
		assertThat((double) series.p50Nanos()[0]).isCloseTo(1e7, within(1e7 * OFF));
		assertThat(series.p99Nanos()[1]).isZero();
	}

	@Test
	void references_shareRecorderOfSameMethod() {
		assertThat(this.manual.client(3)).isSameAs(this.manual.client(3));
		assertThat(this.manual.client(3)).isNotSameAs(this.manual.server(3));
		ManualHistory.call(this.manual.client(3));
		ManualHistory.call(this.manual.client(3));
		this.manual.tick();
		assertThat(this.manual.history.methods()).filteredOn((each) -> each.side() == Side.CLIENT)
			.singleElement()
			.extracting(MethodStats::calls)
			.isEqualTo(2L);
	}

	@Test
	void unknownMethods_haveNoHistory() {
		assertThat(this.manual.history.method(Side.CLIENT, "app.None", "none()", 0)).isEmpty();
		assertThat(this.manual.history.methods(Side.SERVER, "app.None")).isEmpty();
		assertThat(this.manual.history.busiest(20)).isEmpty();
		assertThat(this.manual.history.values(0).times()).isEmpty();
	}

	@Test
	void historyValues_haveKeyUnitAndDescription() {
		assertThat(List.of(HistoryValue.values())).allSatisfy((value) -> {
			assertThat(value.key()).matches("[a-z][A-Za-z0-9]*");
			assertThat(value.unit()).isNotEmpty();
			assertThat(value.description()).endsWith(".");
		}).extracting(HistoryValue::key).doesNotHaveDuplicates();
	}

}
