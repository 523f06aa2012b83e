package io.rpcboot.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link Spread}.
 */
class SpreadTests {

	@Test
	void medianOfAnOddNumberIsTheMiddleOne() {
		assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(1, 4, 9));
	}

	@Test
	void medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
		assertThat(Spread.of(9, 1, 4, 6)).isEqualTo(new Spread(1, 5, 9));
	}

	@Test
	void ratiosAreTakenWithinARoundAndNotOfTheMedians() {
		List<Turn> ours = turns(10, 100, 40);
		List<Turn> peer = turns(5, 100, 10);
		assertThat(Spread.ofRatios(ours, peer, Measure.THROUGHPUT)).isEqualTo(new Spread(1, 2, 4));
	}

	@Test
	void aRatioToNothingDoesNotCount() {
		assertThat(Spread.ofRatios(turns(3, 6), turns(0, 2), Measure.THROUGHPUT)).isEqualTo(new Spread(3, 3, 3));
	}

	@Test
	void noValueHasNoMedian() {
		assertThat(Spread.ofRatios(turns(3), turns(0), Measure.THROUGHPUT).median()).isNaN();
	}

	private static List<Turn> turns(double... throughputs) {
		return Arrays.stream(throughputs)
			.mapToObj((throughput) -> new Turn(1, Map.of(Measure.THROUGHPUT, throughput)))
			.toList();
	}

}
