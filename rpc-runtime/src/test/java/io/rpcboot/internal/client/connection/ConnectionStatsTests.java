package io.rpcboot.internal.client.connection;

import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.transport.frame.CallTable;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/** The clock is what the tests say; it may begin anywhere, as that of the JVM. */
class ConnectionStatsTests {

	private static final long MICRO = TimeUnit.MICROSECONDS.toNanos(1);

	private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final Offset<Double> EXACT = Offset.offset(1e-9);

	private final ConnectionStats load = new ConnectionStats(new CallTable<ClientCall>());

	private long now = -7 * SECOND;

	private void ended(RpcStatus status, long tookNanos) {
		this.load.ended(status, tookNanos, this.now);
	}

	private long latency() {
		return this.load.latencyNanos(this.now);
	}

	private double successes() {
		return this.load.recentSuccesses(this.now);
	}

	private double failures() {
		return this.load.recentFailures(this.now);
	}

	@Test
	void measurement_starts_whenLatencyIsFirstRead() {
		assertThat(this.load.pendingCalls()).isZero();
		assertThat(this.load.measures).isFalse();
		assertThat(latency()).isZero();
		assertThat(this.load.measures).isTrue();
		assertThat(successes()).isZero();
		assertThat(failures()).isZero();
	}

	@Test
	void measurement_starts_whenOutcomesAreFirstRead() {
		assertThat(failures()).isZero();
		assertThat(this.load.measures).isTrue();
	}

	@Test
	void firstLatency_isTakenUnchanged() {
		ended(RpcStatus.OK, 3 * MILLI);
		assertThat(latency()).isEqualTo(3 * MILLI);
	}

	@Test
	void latenciesOfOneRead_areAveraged() {
		ended(RpcStatus.OK, 1 * MILLI);
		ended(RpcStatus.OK, 2 * MILLI);
		ended(RpcStatus.OK, 6 * MILLI);
		assertThat(latency()).isEqualTo(3 * MILLI);
	}

	/** weights: 1 - exp(-0.5/5) of the newest, the rest of those before. */
	@Test
	void latency_isMeanWeightedByTime() {
		settle(10 * MILLI);
		this.now += SECOND / 2;
		ended(RpcStatus.OK, 20 * MILLI);
		assertThat(latency()).isCloseTo((long) ((10 * Math.exp(-0.1) + 20 * (1 - Math.exp(-0.1))) * MILLI),
				Percentage.withPercentage(1));
	}

	@Test
	void slowCalls_raiseLatency_afterManyFastCalls() {
		for (int i = 0; i < 100_000; i++) {
			this.now += 100 * MICRO;
			ended(RpcStatus.OK, 100 * MICRO);
		}
		this.now += SECOND;
		ended(RpcStatus.OK, SECOND);
		assertThat(latency()).isBetween(SECOND / 10, SECOND / 4);
	}

	@Test
	void slowFirstCall_fades_withinSeconds() {
		ended(RpcStatus.OK, 50 * MILLI);
		for (int i = 0; i < 20_000; i++) {
			this.now += 100 * MICRO;
			ended(RpcStatus.OK, 100 * MICRO);
		}
		assertThat(latency()).isBetween(100 * MICRO, 2 * MILLI);
	}

	@Test
	void latency_isUnknown_after30sWithoutReply() {
		ended(RpcStatus.OK, MILLI);
		this.now += 30 * SECOND - 1;
		assertThat(latency()).isEqualTo(1);
		this.now += 1;
		assertThat(latency()).isZero();
		ended(RpcStatus.OK, 2 * MILLI);
		assertThat(latency()).isCloseTo(2 * MILLI, Percentage.withPercentage(1));
	}

	/** Somebody spares an instance that was slow, and it has recovered. */
	@Test
	void latency_halvesEachSecond_withoutReply() {
		settle(200 * MILLI);
		this.now += SECOND - 1;
		assertThat(latency()).isEqualTo(200 * MILLI);
		this.now += 1;
		assertThat(latency()).isEqualTo(100 * MILLI);
		this.now += 5 * SECOND;
		assertThat(latency()).isEqualTo(200 * MILLI / 64);
		ended(RpcStatus.OK, 3 * MILLI);
		assertThat(latency()).as("what was is no more than that").isLessThan(4 * MILLI);
	}

	@Test
	void latency_ignoresOutcomes_withoutServiceTime() {
		ended(RpcStatus.RESOURCE_EXHAUSTED, MICRO);
		ended(RpcStatus.UNAVAILABLE, MICRO);
		ended(RpcStatus.CANCELLED, MICRO);
		ended(RpcStatus.OK, 0);
		assertThat(latency()).isZero();
		ended(RpcStatus.DEADLINE_EXCEEDED, 3 * SECOND);
		assertThat(latency()).isEqualTo(3 * SECOND);
		this.now += SECOND / 2;
		ended(RpcStatus.APPLICATION, 3 * SECOND);
		assertThat(latency()).isEqualTo(3 * SECOND);
	}

	@ParameterizedTest
	@EnumSource(names = { "UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "INTERNAL", "APPLICATION",
			"UNKNOWN", "DATA_LOSS" })
	void failureStatuses_countAsFailures(RpcStatus status) {
		ended(status, MILLI);
		assertThat(failures()).isEqualTo(1);
		assertThat(successes()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = { "UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "INTERNAL",
			"APPLICATION", "UNKNOWN", "DATA_LOSS", "CANCELLED" })
	void otherStatuses_countAsSuccesses(RpcStatus status) {
		ended(status, MILLI);
		assertThat(failures()).isZero();
		assertThat(successes()).isEqualTo(1);
	}

	@Test
	void cancelledCalls_areIgnoredAndUnknownStatusesCountAsFailures() {
		ended(RpcStatus.CANCELLED, MILLI);
		assertThat(failures() + successes()).isZero();
		this.load.ended(null, MILLI, this.now);
		assertThat(failures()).isEqualTo(1);
	}

	@Test
	void outcomes_decayOverTime() {
		for (int i = 0; i < 10; i++) {
			ended((i < 4) ? RpcStatus.UNAVAILABLE : RpcStatus.OK, MILLI);
		}
		this.now += 5 * SECOND;
		assertThat(failures()).isCloseTo(4 * Math.exp(-1), EXACT);
		assertThat(successes()).isCloseTo(6 * Math.exp(-1), EXACT);
		ended(RpcStatus.OK, MILLI);
		assertThat(successes()).isCloseTo(1 + 6 * Math.exp(-1), EXACT);
		this.now += 10 * SECOND;
		assertThat(failures()).isCloseTo(4 * Math.exp(-3), EXACT);
	}

	@Test
	void statistics_areReadable_whenReaderClockIsBehind() {
		ended(RpcStatus.OK, MILLI);
		this.now -= SECOND;
		assertThat(successes()).isEqualTo(1);
		assertThat(latency()).isEqualTo(MILLI);
	}

	@Test
	void outcomes_areInherited_withoutLatency() {
		assertThat(failures()).isZero();
		ended(RpcStatus.UNAVAILABLE, MILLI);
		ended(RpcStatus.OK, MILLI);
		ConnectionStats next = new ConnectionStats(new CallTable<ClientCall>());
		next.inherit(this.load);
		assertThat(next.measures).isTrue();
		assertThat(next.latencyNanos(this.now)).isZero();
		this.now += 5 * SECOND;
		next.ended(RpcStatus.UNAVAILABLE, MILLI, this.now);
		assertThat(next.recentFailures(this.now)).isCloseTo(1 + Math.exp(-1), EXACT);
		assertThat(next.recentSuccesses(this.now)).isCloseTo(Math.exp(-1), EXACT);
		assertThat(this.load.recentFailures(this.now)).as("it is a copy").isCloseTo(Math.exp(-1), EXACT);
	}

	@Test
	void unmeasuredStatistics_areNotInherited() {
		ConnectionStats next = new ConnectionStats(new CallTable<ClientCall>());
		next.inherit(this.load);
		assertThat(next.measures).isFalse();
	}

	private void settle(long nanos) {
		for (int i = 0; i < 1000; i++) {
			this.now += SECOND / 10;
			ended(RpcStatus.OK, nanos);
		}
	}

}
