package io.rpcboot.internal.limit;

import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TokenBucketTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	/** Ten a second, and fifty at once. */
	private final TokenBucket bucket = new TokenBucket(10, 50);

	private int takeAll(long now) {
		int taken = 0;
		while (this.bucket.tryTake(1, now)) {
			taken++;
		}
		return taken;
	}

	/** Also a clock whose numbers are negative or overflow. */
	@ParameterizedTest
	@ValueSource(longs = { 0, 1, Long.MIN_VALUE, Long.MAX_VALUE - 1, -5 })
	void tokens_areThoseOfBurst_thenOfRate(long start) {
		assertThat(takeAll(start)).isEqualTo(50);
		assertThat(takeAll(start + SECOND)).isEqualTo(10);
		assertThat(takeAll(start + SECOND + SECOND / 10 - 1)).isZero();
		assertThat(takeAll(start + SECOND + SECOND / 10)).isOne();
		assertThat(takeAll(start + 60 * SECOND)).isEqualTo(50);
	}

	@Test
	void refusedTake_takesNothing() {
		assertThat(this.bucket.tryTake(51, 0)).isFalse();
		assertThat(this.bucket.tryTake(40, 0)).isTrue();
		for (int i = 0; i < 100; i++) {
			assertThat(this.bucket.tryTake(11, i)).isFalse();
		}
		assertThat(this.bucket.tryTake(20, SECOND)).isTrue();
	}

	@Test
	void deposits_endAtBurst() {
		takeAll(0);
		this.bucket.deposit(3);
		assertThat(takeAll(0)).isEqualTo(3);
		this.bucket.deposit(1000);
		assertThat(takeAll(0)).isEqualTo(50);
	}

	@Test
	void smallerBurst_losesTokens() {
		this.bucket.burst(20);
		this.bucket.burst(100);
		assertThat(takeAll(0)).isEqualTo(20);
		assertThat(takeAll(60 * SECOND)).isEqualTo(100);
	}

	/** An older time comes from a clock that was read before. */
	@Test
	void olderTime_addsNothing() {
		assertThat(this.bucket.tryTake(50, 5 * SECOND)).isTrue();
		assertThat(this.bucket.tryTake(1, 0)).isFalse();
		assertThat(this.bucket.tokens(4 * SECOND)).isZero();
		assertThat(this.bucket.tryTake(10, 6 * SECOND)).isTrue();
	}

	@Test
	void time_isKnown_untilTokensAreThere() {
		assertThat(this.bucket.nanosUntil(50, 7)).isZero();
		takeAll(7);
		assertThat(this.bucket.nanosUntil(1, 7)).isEqualTo(SECOND / 10);
		assertThat(this.bucket.nanosUntil(1, 7 + SECOND / 20)).isEqualTo(SECOND / 20);
	}

	@Test
	void takes_stayWithinBurstAndRate_inAnyPeriod() {
		Random random = new Random(7);
		long now = 0;
		double taken = 0;
		for (int i = 0; i < 100_000; i++) {
			now += random.nextInt(200_000_000);
			int count = random.nextInt(20);
			if (this.bucket.tryTake(count, now)) {
				taken += count;
			}
			assertThat(taken).isLessThanOrEqualTo(50 + 10.0 * now / SECOND + 1e-3);
		}
		assertThat(taken).as("what the rate allows").isGreaterThan(0.95 * 10 * now / SECOND);
	}

}
