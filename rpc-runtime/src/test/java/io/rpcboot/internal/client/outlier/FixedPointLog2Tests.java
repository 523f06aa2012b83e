package io.rpcboot.internal.client.outlier;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class FixedPointLog2Tests {

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 7, 1000, 1_500_000, 2_000_000, 3_000_000_000L, Long.MAX_VALUE })
	void logarithm_approximatesBaseTwo(long value) {
		assertThat((double) FixedPointLog2.of(value) / FixedPointLog2.ONE).isCloseTo(Math.log(value) / Math.log(2),
				within(0.1));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 1000, 1_500_000, 3_000_000_000L, 1L << 60 })
	void inverse_restoresValue(long value) {
		assertThat(FixedPointLog2.inverse(FixedPointLog2.of(value))).isCloseTo(value, within(value * 0.002));
	}

}
