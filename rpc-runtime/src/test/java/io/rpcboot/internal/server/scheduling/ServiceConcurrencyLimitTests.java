package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the number of calls of a service that may run at once. */
class ServiceConcurrencyLimitTests {

	/** At which no more calls than usual begin. */
	private static final long START = TimeUnit.SECONDS.toNanos(3200) + millis(100);

	private final ServiceConcurrencyLimit pace = new ServiceConcurrencyLimit();

	private final MinServiceTime method = new MinServiceTime();

	private long now = START;

	@BeforeEach
	void callsWait() {
		this.pace.waits(this.now);
	}

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private void end(int calls, long everyMillis, boolean late) {
		for (int i = 0; i < calls; i++) {
			this.now += millis(everyMillis);
			this.pace.ended(this.method, millis(100), late, this.now);
		}
	}

	/** The most that may run, so that another one may begin. */
	private int most(long leftMillis) {
		return most(this.method, leftMillis);
	}

	private int most(MinServiceTime called, long leftMillis) {
		this.pace.begins(called, 1000, millis(leftMillis), this.now); // no probe then
		int threads = 0;
		while (threads < 1000 && this.pace.admits(called, threads, millis(leftMillis), this.now)) {
			threads++;
		}
		return threads;
	}

	private void atUsualTime() {
		this.now = START + (this.now - START) / millis(3200) * millis(3200) + millis(3200);
	}

	@Test
	void concurrency_isUnlimited_withoutLateCalls() {
		end(1000, 5, false);
		assertThat(most(1)).isEqualTo(1000);
	}

	@Test
	void concurrency_isUnlimited_beforeFirstMeasurement() {
		end(99, 5, true);
		assertThat(most(1)).isEqualTo(1000);
	}

	@Test
	void concurrency_isLimitedToCallsEndingIn70PercentOfTimeLeft() {
		end(100, 5, true);
		assertThat(most(300)).isEqualTo(42);
		assertThat(most(3001)).isEqualTo(420);
	}

	@Test
	void concurrency_neverFallsBelowMinimum() {
		end(100, 5, true);
		assertThat(most(1)).isEqualTo(ServiceConcurrencyLimit.LEAST_THREADS);
		assertThat(most(-1)).isEqualTo(ServiceConcurrencyLimit.LEAST_THREADS);
	}

	@Test
	void fastestRecentMeasurement_determinesLimit() {
		end(100, 5, true);
		end(100, 10, true);
		assertThat(most(300)).isEqualTo(42);
		for (int i = 0; i < 8; i++) {
			end(50, 10, true);
		}
		assertThat(most(300)).isEqualTo(21);
	}

	@Test
	void measurement_needsMinimumOfEndedCalls() {
		end(31, 20, true); // longer than half a second
		assertThat(most(300)).isEqualTo(1000);
		end(1, 20, true);
		assertThat(most(300)).isEqualTo(10);
	}

	@Test
	void slowService_isMeasuredForFourSeconds() {
		end(3, 1000, true);
		assertThat(most(10_000)).isEqualTo(1000);
		end(1, 1000, true);
		assertThat(most(10_000)).isEqualTo(7);
	}

	@Test
	void globalPause_isExcludedFromMeasurement() {
		end(50, 5, false);
		this.now += millis(20_000);
		end(49, 5, true);
		assertThat(most(300)).as("each 5 ms").isEqualTo(42);
	}

	@Test
	void callsEndingTogether_areMeasuredAsFast() {
		this.now += millis(5000);
		end(200, 1, true);
		assertThat(most(300)).isEqualTo(210);
	}

	@Test
	void endedCalls_areNotMeasured_withoutWaitingCalls() {
		ServiceConcurrencyLimit never = new ServiceConcurrencyLimit();
		never.ended(this.method, millis(100), true, this.now);
		assertThat(never.admits(this.method, 1000, millis(1), this.now)).as("nothing was measured").isTrue();
		this.pace.idle();
		end(1000, 5, true);
		assertThat(most(300)).isEqualTo(1000);
	}

	@Test
	void timelyMethod_isNotLimited() {
		MinServiceTime fast = new MinServiceTime();
		for (int i = 0; i < 100; i++) {
			end(1, 2, true);
			this.now += millis(3);
			this.pace.ended(fast, millis(1), false, this.now);
		}
		assertThat(most(fast, 1)).isEqualTo(1000);
		assertThat(most(300)).isLessThan(100);
	}

	@Test
	void fastMethod_isLimitedByItsOwnServiceTime() {
		MinServiceTime fast = new MinServiceTime();
		for (int i = 0; i < 1000; i++) {
			end(1, 2, true);
			this.now += millis(3);
			this.pace.ended(fast, millis(1), true, this.now);
		}
		int slow = most(300);
		assertThat(slow).isBetween(30, 50); // half of the calls take nearly all of the
											// time
		assertThat(most(fast, 300)).isGreaterThan(80 * slow > 1000 ? 999 : 80 * slow);
	}

	@Test
	void limit_isLifted_whenItSlowsCalls() {
		end(100, 5, true);
		assertThat(most(300)).isEqualTo(42);
		end(900, 7, true);
		assertThat(most(300)).isEqualTo(30);
		int ended = 0;
		while (most(300) < 1000 && ended < 1000) {
			end(1, 8, true);
			ended++;
		}
		assertThat(ended).as("the faster measurements are forgotten after eight").isBetween(400, 600);
		end(100, 8, true);
		assertThat(most(300)).isEqualTo(26);
	}

	@Test
	void callsEndedBeforeWaiting_areNotMeasured() {
		end(99, 5, true);
		this.now += millis(1000);
		this.pace.waits(this.now);
		end(100, 1, false);
		assertThat(most(300)).isEqualTo(1000);
		end(400, 1, false);
		assertThat(most(300)).isEqualTo(210);
	}

	@Test
	void limit_ends_whenNoCallIsLateFor10s() {
		end(100, 5, true);
		end(50, 100, false);
		assertThat(this.pace.isLimited(this.now)).isTrue();
		end(50, 100, false);
		assertThat(this.pace.isLimited(this.now)).isTrue();
		this.now++;
		assertThat(this.pace.isLimited(this.now)).isFalse();
		assertThat(most(1)).isEqualTo(1000);
	}

	@Test
	void measurement_isForgotten_after10s() {
		end(100, 5, true);
		this.pace.idle();
		for (int i = 0; i < 10; i++) {
			this.now += millis(1000);
			this.pace.ended(this.method, millis(100), true, this.now);
		}
		assertThat(most(300)).isEqualTo(42);
		this.now++;
		assertThat(this.pace.isLimited(this.now)).isTrue();
		assertThat(most(300)).isEqualTo(1000);
	}

	@Test
	void callBeyondLimit_isAdmittedEach100ms() {
		end(100, 5, true);
		long left = millis(300);
		this.pace.begins(this.method, 100, left, this.now);
		this.now += millis(99);
		assertThat(this.pace.admits(this.method, 100, left, this.now)).isFalse();
		this.now += millis(1);
		assertThat(this.pace.admits(this.method, 100, left, this.now)).isTrue();
		this.pace.begins(this.method, 10, left, this.now);
		assertThat(this.pace.admits(this.method, 100, left, this.now)).as("that was none beyond").isTrue();
		this.pace.begins(this.method, 100, left, this.now);
		assertThat(this.pace.admits(this.method, 100, left, this.now)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -3_600_000_000_000L, -1, 0, 3_600_000_000_000L, Long.MAX_VALUE - 1 })
	void callBeyondLimit_isAdmitted_atAnyOriginOfClock(long start) {
		this.now = start;
		this.pace.waits(this.now);
		end(100, 5, true);
		long left = millis(300);
		for (int i = 0; i < 3; i++) {
			assertThat(this.pace.admits(this.method, 100, left, this.now)).as("100 ms after the last one").isTrue();
			this.pace.begins(this.method, 100, left, this.now);
			assertThat(this.pace.admits(this.method, 100, left, this.now)).isFalse();
			this.now += millis(100);
		}
	}

	@Test
	void limit_isRaised_duringPeriodicTrial() {
		end(100, 5, true);
		atUsualTime();
		assertThat(most(300)).isEqualTo(42);
		this.now -= millis(100);
		assertThat(most(300)).isEqualTo(60);
		this.now -= 1;
		assertThat(most(300)).isEqualTo(42);
	}

}
