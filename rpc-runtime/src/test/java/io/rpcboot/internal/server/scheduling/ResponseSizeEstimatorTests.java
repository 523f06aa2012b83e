package io.rpcboot.internal.server.scheduling;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResponseSizeEstimatorTests {

	private static final int SMALL = 64 * 1024;

	private final ResponseSizeEstimator sizes = new ResponseSizeEstimator();

	@Test
	void expectedSize_isZero_initially() {
		assertThat(this.sizes.expected).isZero();
	}

	@Test
	void smallResults_areNotExpected() {
		this.sizes.accept(SMALL);
		this.sizes.made(SMALL, true);
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
		this.sizes.made(100_000, true);
		assertThat(this.sizes.expected).isEqualTo(100_000);
		this.sizes.made(8_000_000, true);
		assertThat(this.sizes.expected).isEqualTo(8_000_000);
	}

	@Test
	void smallerResult_lowersExpectedSizeByEighthOfDifference() {
		this.sizes.made(1_000_000, true);
		this.sizes.made(200_000, true);
		assertThat(this.sizes.expected).isEqualTo(900_000);
		this.sizes.made(899_999, true);
		assertThat(this.sizes.expected).as("at least a byte").isEqualTo(899_999);
	}

	@Test
	void largeResults_areForgotten_afterSmallResults() {
		this.sizes.made(Integer.MAX_VALUE, true);
		int results = 0;
		while (this.sizes.expected > 0) {
			int before = this.sizes.expected;
			this.sizes.made(10, true);
			assertThat(this.sizes.expected).isLessThan(before);
			results++;
		}
		assertThat(results).isBetween(10, 200);
	}

	@Test
	void results_areSmall_untilOneIsCharged() {
		assertThat(this.sizes.areSmall()).isTrue();
		this.sizes.entered();
		assertThat(this.sizes.areSmall()).isFalse();
	}

	@Test
	void expectedSize_isKept_whileMemoryIsShort() {
		this.sizes.made(7_000_000, false);
		for (int i = 0; i < 1000; i++) {
			this.sizes.made(100, false);
		}
		assertThat(this.sizes.expected).isEqualTo(7_000_000);
		this.sizes.made(8_000_000, false);
		assertThat(this.sizes.expected).isEqualTo(8_000_000);
	}

}
