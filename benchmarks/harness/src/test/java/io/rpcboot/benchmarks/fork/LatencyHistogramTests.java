package io.rpcboot.benchmarks.fork;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests of {@link LatencyHistogram}.
 */
class LatencyHistogramTests {

	private final LatencyHistogram histogram = new LatencyHistogram();

	@Test
	void quantilesAreWithinTheWidthOfABucket() {
		for (int i = 1; i <= 100_000; i++) {
			this.histogram.record(i * 10L);
		}
		assertThat(this.histogram.count()).isEqualTo(100_000);
		assertThat((double) this.histogram.quantile(0.5)).isCloseTo(500_000, within(500_000 / 64.0));
		assertThat((double) this.histogram.quantile(0.99)).isCloseTo(990_000, within(990_000 / 64.0));
		assertThat((double) this.histogram.quantile(1)).isCloseTo(1_000_000, within(1_000_000 / 64.0));
	}

	@Test
	void everyMagnitudeIsKept() {
		for (int shift = 0; shift < 40; shift++) {
			long value = 1L << shift;
			LatencyHistogram one = new LatencyHistogram();
			one.record(value);
			assertThat((double) one.quantile(0.5)).isCloseTo(value, within(value / 64.0));
		}
	}

	@Test
	void smallValuesAreExact() {
		this.histogram.record(0);
		this.histogram.record(63);
		assertThat(this.histogram.quantile(0.5)).isZero();
		assertThat(this.histogram.quantile(1)).isEqualTo(63);
	}

	@Test
	void valuesOutOfRangeCountAsItsEnds() {
		this.histogram.record(-5);
		this.histogram.record(Long.MAX_VALUE);
		assertThat(this.histogram.quantile(0.5)).isZero();
		assertThat(this.histogram.quantile(1)).isGreaterThan(1L << 39);
	}

	@Test
	void countsOfAnotherAreAdded() {
		LatencyHistogram other = new LatencyHistogram();
		this.histogram.record(10);
		other.record(20);
		other.record(30);
		this.histogram.add(other);
		assertThat(this.histogram.count()).isEqualTo(3);
		assertThat(this.histogram.quantile(0.5)).isEqualTo(20);
	}

	@Test
	void nothingCountedIsZero() {
		assertThat(this.histogram.quantile(0.99)).isZero();
	}

}
