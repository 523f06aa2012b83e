package io.rpcboot.internal.server.scheduling;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.transport.LimitInfo;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Tests the limit by what a simulated service does with it. */
class GradientLimitTests {

	private final LimitSimulation limited = new LimitSimulation(300, true);

	/** Four connections of 20 ms: 200 calls/s. */
	@ParameterizedTest
	@CsvSource({ "400, 0", "1000, 0", "2000, 0", "0, 300", "0, 1000", "0, 4000" })
	void callsThatShareAPool_endInTime_underOverload(double rate, int callers) {
		this.limited.pool(4, 20).open(rate).closed(callers).run(5);
		assertHolds(this.limited, 200);
	}

	/** No call waits for one of the 200 threads, and all would be late. */
	@ParameterizedTest
	@ValueSource(ints = { 64, 100, 200 })
	void callsThatShareAPool_endInTime_withFewerCallersThanThreads(int callers) {
		this.limited.pool(4, 20).closed(callers).run(5);
		assertHolds(this.limited, 200);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 5, 10 })
	void callsThatShareProcessors_endInTime_underOverload(int times) {
		this.limited.processors(2, 5).open(times * 400).run(5);
		assertHolds(this.limited, 400);
	}

	/** At 95 % and more of the throughput, with few threads. */
	private static void assertHolds(LimitSimulation service, int callsPerSecond) {
		service.run(25);
		assertThat(service.executed).isGreaterThan(25 * callsPerSecond * 95 / 100);
		assertThat(service.inTime).isGreaterThan(service.executed * 99 / 100);
		assertThat(service.running()).isLessThanOrEqualTo(20);
	}

	/** Base is measured after 1, 2, 4, ... seconds, later once a minute. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void limit_isSteady_exceptWhileBaseIsMeasured(boolean shares) {
		if (shares) {
			this.limited.processors(2, 5).open(800).run(70);
		}
		else {
			this.limited.pool(4, 20).open(400).run(70);
		}
		List<Integer> limits = this.limited.run(240).limits;
		double mean = limits.stream().mapToInt((each) -> each).average().orElseThrow();
		long away = limits.stream().filter((each) -> Math.abs(each - mean) > Math.max(1, 0.2 * mean)).count();
		assertThat(away).as("%s", limits).isLessThanOrEqualTo(limits.size() * 25 / 1000);
		assertThat(mean).isBetween(3.0, 9.0);
	}

	@Test
	void limit_isFoundWithinFourSeconds() {
		this.limited.pool(4, 20).open(2000).run(4);
		this.limited.run(1);
		assertThat(this.limited.inTime).isEqualTo(this.limited.executed).isGreaterThan(140);
	}

	@Test
	void limit_outlastsAPause() {
		this.limited.pool(4, 20).open(2000).run(10);
		this.limited.open(0).run(5);
		this.limited.open(2000).run(3);
		assertThat(this.limited.inTime).isEqualTo(this.limited.executed).isGreaterThan(500);
	}

	@Test
	void slowerPool_getsAnotherLimit() {
		this.limited.pool(4, 20).open(2000).run(10);
		this.limited.pool(4, 40).run(10);
		this.limited.run(20);
		assertThat(this.limited.executed).isGreaterThan(20 * 100 * 9 / 10);
		assertThat(this.limited.inTime).isGreaterThan(this.limited.executed * 98 / 100);
		this.limited.pool(40, 20).run(10);
		this.limited.run(10);
		assertThat(this.limited.executed).as("2,000 calls/s are possible again").isGreaterThan(10 * 1700);
	}

	/** More threads do not make its calls longer: fewer would only lose throughput. */
	@ParameterizedTest
	@ValueSource(ints = { 2100, 5300 })
	void waitingCalls_keepTheirThreads_althoughSomeAreLate(int rate) {
		LimitSimulation free = new LimitSimulation(150, false).waits(75).open(rate).run(30);
		LimitSimulation service = new LimitSimulation(150, true).waits(75).open(rate).run(30);
		assertThat(free.inTime).as("some are late").isLessThan(free.executed * 95 / 100);
		assertThat(service.inTime).isGreaterThan(free.inTime * 95 / 100);
	}

	@Test
	void oneLateCall_costsLittle() {
		LimitSimulation free = new LimitSimulation(300, false).pool(200, 100).open(1900).run(30);
		LimitSimulation service = new LimitSimulation(300, true).pool(200, 100).open(1900).run(5);
		int before = service.inTime;
		service.oneIsLate();
		service.run(25);
		assertThat(before + service.inTime).isGreaterThan(free.inTime * 95 / 100);
	}

	@Test
	void someLateCalls_armNothing_whileNoCallWaits() {
		this.limited.waits(75).open(500).run(30);
		assertThat(this.limited.inTime).as("some are late").isLessThan(this.limited.executed * 995 / 1000);
		assertThat(this.limited.limits).containsOnly(LimitSimulation.THREADS);
	}

	@Test
	void hangingCalls_endTheLimit() {
		this.limited.pool(4, 20).open(400).run(10);
		assertThat(this.limited.limits).last().isEqualTo(7);
		this.limited.hangs(true).run(2);
		assertThat(this.limited.running()).as("others might go on").isGreaterThan(100);
		this.limited.hangs(false).run(5);
		assertHolds(this.limited, 200);
	}

	/** The next measurement of base is up to a minute away. */
	@Test
	void limit_isBackSoonAfterCallsHung() {
		this.limited.pool(4, 20).open(400).run(100);
		this.limited.hangs(true).run(2);
		this.limited.hangs(false).run(5);
		assertThat(this.limited.limits).last().asInstanceOf(InstanceOfAssertFactories.INTEGER).isLessThan(20);
		this.limited.run(1);
		assertThat(this.limited.inTime).isEqualTo(this.limited.executed).isGreaterThan(180);
	}

	@Test
	void limit_endsWithTheOverload() {
		this.limited.pool(4, 20).open(2000).run(10);
		assertThat(this.limited.limits).last().isEqualTo(7);
		this.limited.open(100).run(1);
		this.limited.run(120);
		assertThat(this.limited.inTime).isEqualTo(this.limited.executed);
		assertThat(this.limited.limit.isArmed(Long.MAX_VALUE / 2)).isFalse();
	}

	@Test
	void nothingIsLimited_withoutLateCalls() {
		LimitSimulation patient = new LimitSimulation(3000, true).pool(4, 20).open(1000).run(20);
		assertThat(patient.running()).isEqualTo(LimitSimulation.THREADS);
		assertThat(patient.inTime).isEqualTo(patient.executed);
	}

	@Test
	void description_hasSignalAndLastMove() {
		LimitInfo idle = this.limited.describe();
		assertThat(idle).isEqualTo(new LimitInfo("threads", "demo.Stock", null, 200, 0, "", "", null));
		this.limited.pool(4, 20).open(2000).run(0.5);
		assertThat(this.limited.describe().reason()).startsWith("began, because a call ended after its deadline");
		this.limited.run(9.5);
		LimitInfo found = this.limited.describe();
		assertThat(found.limit()).isEqualTo(8L);
		assertThat(found.used()).isBetween(6L, 8L);
		assertThat(found.signal())
			.matches("a call takes (3|4)\\d\\.\\d ms on its thread, 2\\d\\.\\d ms with few threads");
		assertThat(found.reason()).contains("with few threads");
		assertThat(found.movedAt()).isCloseTo(Instant.now(), within(20, ChronoUnit.SECONDS));
		this.limited.hangs(true).run(2);
		assertThat(this.limited.describe().limit()).isNull();
		assertThat(this.limited.describe().reason()).startsWith("ended, because too few calls ended in time");
	}

	@Test
	void methodWithoutLateCalls_isNotLimited() {
		this.limited.pool(4, 20).open(2000).run(10);
		long now = TimeUnit.SECONDS.toNanos(1010);
		assertThat(this.limited.limit.admits(this.limited.method, 100, now)).isFalse();
		assertThat(this.limited.limit.admits(new MinServiceTime(), 100, now)).isTrue();
		assertThat(this.limited.limit.admits(this.limited.method, 1, now)).as("the least").isTrue();
	}

}
