package io.rpcboot.internal.metrics.history.call;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BucketsTests {

	private static final long LONGEST = 1L << 36;

	@Test
	void bucket_isAccurateToOne32nd() {
		SplittableRandom random = new SplittableRandom(14);
		for (int i = 0; i < 50_000; i++) {
			long nanos = random.nextLong(1L << random.nextInt(12, 37));
			long off = Math.abs(Buckets.middle(Buckets.of(nanos)) - nanos);
			assertThat((double) off).as("%d ns", nanos).isLessThanOrEqualTo(Math.max(64, nanos / 32.0));
		}
	}

	@Test
	void buckets_increase_withoutGaps() {
		int last = 0;
		for (long nanos = 0; nanos < LONGEST; nanos += 16 + nanos / 64) {
			int bucket = Buckets.of(nanos);
			assertThat(bucket - last).as("%d ns", nanos).isBetween(0, 1);
			last = bucket;
		}
		assertThat(Buckets.of(LONGEST - 1)).isEqualTo(Buckets.COUNT - 2);
	}

	@Test
	void extremeDurations_haveBucket() {
		assertThat(Buckets.of(LONGEST)).isEqualTo(Buckets.COUNT - 1);
		assertThat(Buckets.of(Long.MAX_VALUE)).isEqualTo(Buckets.COUNT - 1);
		assertThat(Buckets.of(-1)).isZero();
		assertThat(Buckets.of(Long.MIN_VALUE)).isZero();
	}

	@Test
	void percentile_isBucketOfItsRank() {
		int[] counts = new int[Buckets.COUNT];
		counts[10] = 98;
		counts[20] = 1;
		counts[30] = 1;
		assertThat(Buckets.percentile(counts, 100, 0.5)).isEqualTo(10);
		assertThat(Buckets.percentile(counts, 100, 0.98)).isEqualTo(10);
		assertThat(Buckets.percentile(counts, 100, 0.99)).isEqualTo(20);
		assertThat(Buckets.percentile(counts, 100, 1)).isEqualTo(30);
		assertThat(Buckets.percentile(new int[Buckets.COUNT], 0, 0.99)).isEqualTo(-1);
	}

	@Test
	void percentile_isLimitedByLongestDuration() {
		long longest = 10_000_000;
		assertThat(Buckets.middle(Buckets.of(longest))).isGreaterThan(longest);
		assertThat(Buckets.duration(Buckets.of(longest), longest)).isEqualTo(longest);
		assertThat(Buckets.duration(Buckets.COUNT - 1, 3 * LONGEST)).isEqualTo(3 * LONGEST);
		assertThat(Buckets.duration(-1, longest)).isZero();
	}

}
