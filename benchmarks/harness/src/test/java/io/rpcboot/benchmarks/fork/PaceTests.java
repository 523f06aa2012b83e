package io.rpcboot.benchmarks.fork;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Pace}. The start lies in the past, so nothing waits.
 */
class PaceTests {

	private final long start = System.nanoTime() - TimeUnit.SECONDS.toNanos(10);

	@Test
	void withoutARateALatencyCountsFromNow() {
		Pace pace = Pace.of(LoadSpec.blocking(2), 1, this.start);
		assertThat(pace.awaitNext(this.start + 5)).isEqualTo(this.start + 5);
		assertThat(pace.awaitNext(this.start + 17)).isEqualTo(this.start + 17);
	}

	@Test
	void callersTakeTurnsSoThatTogetherTheyKeepTheRate() {
		LoadSpec load = LoadSpec.blocking(4).atRate(1_000);
		Pace first = Pace.of(load, 0, this.start);
		Pace last = Pace.of(load, 3, this.start);
		long milli = TimeUnit.MILLISECONDS.toNanos(1);
		assertThat(first.awaitNext(this.start) - this.start).isZero();
		assertThat(first.awaitNext(this.start + 10 * milli) - this.start).isEqualTo(4 * milli);
		assertThat(last.awaitNext(this.start + 10 * milli) - this.start).isEqualTo(3 * milli);
	}

	@Test
	void aCallThatCouldNotBeginOnTimeCountsFromWhenItHadTo() {
		Pace pace = Pace.of(LoadSpec.blocking(1).atRate(100), 0, this.start);
		long held = this.start + TimeUnit.SECONDS.toNanos(5);
		long waited = 0;
		for (int call = 0; call < 100; call++) {
			waited += held - pace.awaitNext(held);
		}
		assertThat(waited).isEqualTo(100 * TimeUnit.SECONDS.toNanos(5) - 4950 * TimeUnit.MILLISECONDS.toNanos(10));
	}

	@Test
	void aCallBeforeItsTimeWaits() {
		long now = System.nanoTime();
		Pace pace = Pace.of(LoadSpec.blocking(1).atRate(1_000), 0, now + TimeUnit.MILLISECONDS.toNanos(2));
		long intended = pace.awaitNext(now);
		assertThat(intended).isEqualTo(now + TimeUnit.MILLISECONDS.toNanos(2));
		assertThat(System.nanoTime()).isGreaterThanOrEqualTo(intended);
	}

}
