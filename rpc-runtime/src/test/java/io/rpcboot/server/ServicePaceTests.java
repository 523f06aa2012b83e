package io.rpcboot.server;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How many calls of a service may run at once. */
class ServicePaceTests {

	/** At which no more calls than usual begin. */
	private static final long START = TimeUnit.SECONDS.toNanos(3200) + millis(100);

	private final ServicePace pace = new ServicePace();

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
			this.pace.ended(this.now, late);
		}
	}

	/** The most that may run, so that another one may begin. */
	private int most(long leftMillis) {
		this.pace.begins(1000, millis(leftMillis), this.now); // no probe from here on
		int threads = 0;
		while (threads < 1000 && this.pace.admits(threads, millis(leftMillis), this.now)) {
			threads++;
		}
		return threads;
	}

	private void atUsualTime() {
		this.now = START + (this.now - START) / millis(3200) * millis(3200) + millis(3200);
	}

	@Test
	void nothingIsLimitedWhileNoneIsLate() {
		end(1000, 5, false);
		assertThat(most(1)).isEqualTo(1000);
	}

	@Test
	void nothingIsLimitedWhileNothingIsMeasured() {
		end(99, 5, true);
		assertThat(most(1)).isEqualTo(1000);
	}

	@Test
	void asManyRunAsEndInSevenTenthsOfTheTime() {
		end(100, 5, true);
		assertThat(most(300)).isEqualTo(42);
		assertThat(most(3001)).isEqualTo(420);
	}

	@Test
	void someRunWhateverTheyDo() {
		end(100, 5, true);
		assertThat(most(1)).isEqualTo(ServicePace.LEAST_THREADS);
		assertThat(most(-1)).isEqualTo(ServicePace.LEAST_THREADS);
	}

	@Test
	void theFastestOfTheLastMeasurementsCounts() {
		end(100, 5, true);
		end(100, 10, true);
		assertThat(most(300)).isEqualTo(42);
		for (int i = 0; i < 8; i++) {
			end(50, 10, true);
		}
		assertThat(most(300)).isEqualTo(21);
	}

	@Test
	void aMeasurementHasEnoughEnds() {
		end(31, 20, true); // longer than half a second
		assertThat(most(300)).isEqualTo(1000);
		end(1, 20, true);
		assertThat(most(300)).isEqualTo(10);
	}

	@Test
	void aSlowServiceIsMeasuredForFourSeconds() {
		end(3, 1000, true);
		assertThat(most(10_000)).isEqualTo(1000);
		end(1, 1000, true);
		assertThat(most(10_000)).isEqualTo(7);
	}

	@Test
	void whatEndedBeforeCallsWaitedDoesNotCount() {
		end(99, 5, true);
		this.now += millis(1000);
		this.pace.waits(this.now);
		end(100, 1, false);
		assertThat(most(300)).isEqualTo(1000);
		end(400, 1, false);
		assertThat(most(300)).isEqualTo(210);
	}

	@Test
	void theLimitEndsTenSecondsAfterTheLastCallThatWasLate() {
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
	void aMeasurementIsForgottenAfterTenSeconds() {
		end(100, 5, true);
		this.now += millis(10_001);
		this.pace.ended(this.now, true); // a window that is too long by far
		assertThat(most(3000)).as("of the last measurement alone").isEqualTo(ServicePace.LEAST_THREADS);
	}

	@Test
	void beyondTheLimitOneBeginsEachTenthOfASecond() {
		end(100, 5, true);
		long left = millis(300);
		this.pace.begins(100, left, this.now);
		this.now += millis(99);
		assertThat(this.pace.admits(100, left, this.now)).isFalse();
		this.now += millis(1);
		assertThat(this.pace.admits(100, left, this.now)).isTrue();
		this.pace.begins(10, left, this.now);
		assertThat(this.pace.admits(100, left, this.now)).as("that was none beyond").isTrue();
		this.pace.begins(100, left, this.now);
		assertThat(this.pace.admits(100, left, this.now)).isFalse();
	}

	@Test
	void forAMomentInSomeSecondsMoreBegin() {
		end(100, 5, true);
		atUsualTime();
		assertThat(most(300)).isEqualTo(42);
		this.now -= millis(100);
		assertThat(most(300)).isEqualTo(60);
		this.now -= 1;
		assertThat(most(300)).isEqualTo(42);
	}

}
