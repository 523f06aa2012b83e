package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseSizeEstimatorTests {

	private static final int SMALL = 64 * 1024;

	private final ResponseSizeEstimator sizes = new ResponseSizeEstimator();

	/** A little after the estimator was made. */
	private final long start = System.nanoTime();

	@Test
	void expectedSize_isZero_initially() {
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void smallResults_areNotExpected() {
		this.sizes.accept(SMALL);
		made(SMALL, 0);
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void growingResult_raisesExpectedSize_beforeItIsComplete() {
		this.sizes.accept(SMALL + 1);
		assertThat(this.sizes.expected).isEqualTo(SMALL + 1);
		this.sizes.accept(1_000_000);
		assertThat(this.sizes.expected).isEqualTo(1_000_000);
		this.sizes.accept(500_000);
		assertThat(this.sizes.expected).as("it may be larger in the end").isEqualTo(1_000_000);
	}

	@Test
	void largerResult_raisesExpectedSizeAtOnce() {
		made(100_000, 0);
		assertThat(this.sizes.expected).isEqualTo(100_000);
		made(8_000_000, 1);
		assertThat(this.sizes.expected).isEqualTo(8_000_000);
	}

	@Test
	void expectedSize_isLargestOfThisAndLastSecond() {
		made(1_000_000, 0);
		made(200_000, 500);
		assertThat(this.sizes.expected).isEqualTo(1_000_000);
		made(300_000, 1000);
		assertThat(this.sizes.expected).as("the first one is of the last second").isEqualTo(1_000_000);
		made(100_000, 1999);
		assertThat(this.sizes.expected).isEqualTo(1_000_000);
		made(100_000, 2000);
		assertThat(this.sizes.expected).isEqualTo(300_000);
		made(100, 3000);
		assertThat(this.sizes.expected).isEqualTo(100_000);
		made(100, 4000);
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void expectedSize_isKept_whileShortResultsAreMany() {
		made(7_000_000, 0);
		for (int i = 0; i < 100_000; i++) {
			made(100, i % 1000);
		}
		assertThat(this.sizes.expected).isEqualTo(7_000_000);
	}

	@Test
	void results_areSmall_untilOneIsCharged() {
		assertThat(this.sizes.areSmall()).isTrue();
		this.sizes.entered();
		assertThat(this.sizes.areSmall()).isFalse();
	}

	@Test
	void expectedSize_isKept_whileMemoryIsShort() {
		this.sizes.made(7_000_000, false, this.start);
		for (int second = 1; second < 100; second++) {
			this.sizes.made(100, false, this.start + TimeUnit.SECONDS.toNanos(second));
		}
		assertThat(this.sizes.expected).isEqualTo(7_000_000);
		this.sizes.made(8_000_000, false, this.start + TimeUnit.SECONDS.toNanos(100));
		assertThat(this.sizes.expected).isEqualTo(8_000_000);
	}

	private void made(int bytes, long millis) {
		this.sizes.made(bytes, true, this.start + TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
