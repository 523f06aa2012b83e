package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import io.rpcboot.metrics.history.TimeSeriesTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Numbers of the last minutes, with gaps. */
class HistoryWindowTests {

	private static HistoryWindow past(double... values) {
		return HistoryWindow.of(new TimeSeriesTable(5000, new long[values.length], Map.of("x", values)));
	}

	@Test
	void lastValue_skipsUnknownValues() {
		assertThat(past(1, 2, Double.NaN).last("x")).isEqualTo(2);
		assertThat(past(Double.NaN).last("x")).isNull();
		assertThat(past(1).last("y")).isNull();
	}

	@Test
	void meanAndMinimum_coverTwelveIntervals() {
		HistoryWindow past = past(1000, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5);
		assertThat(past.mean("x")).isEqualTo(3);
		assertThat(past.least("x")).isEqualTo(1);
		assertThat(past(4, Double.NaN, 6).mean("x")).isEqualTo(5);
		assertThat(past(Double.NaN).mean("x")).isNull();
		assertThat(past().least("x")).isNull();
	}

	@Test
	void rates_areConvertedToCounts() {
		assertThat(past(0.2, Double.NaN, 0.4).times("x")).isEqualTo(3);
		assertThat(past().times("y")).isZero();
	}

	@Test
	void statistics_coverShorterDuration() {
		assertThat(past(9, 1, 2, 3, 6).mean("x", HistoryWindow.MOMENT)).isEqualTo(3);
		assertThat(past(0, 4, 2, 3, 6).least("x", HistoryWindow.MOMENT)).isEqualTo(2);
		assertThat(past(10, 0.2, 0, 0, 0.2).times("x", HistoryWindow.MOMENT)).isEqualTo(2);
	}

	@Test
	void age_isTimeSinceLastNonZeroValue() {
		assertThat(past(1, 0, Double.NaN, 0).ago("x")).isEqualTo(Duration.ofSeconds(15));
		assertThat(past(0, 0, 2).ago("x")).isZero();
		assertThat(past(0, 0).ago("x")).isZero();
		assertThat(past().ago("y")).isZero();
	}

	@Test
	void usualValue_isLowerQuartileOfEarlierIntervals() {
		double[] values = new double[12];
		Arrays.fill(values, 0, 8, 5);
		Arrays.fill(values, 0, 3, 3);
		Arrays.fill(values, 8, 12, 100);
		assertThat(past(values).usual("x")).isEqualTo(3);
		assertThat(past(Arrays.copyOfRange(values, 4, 12)).usual("x")).isEqualTo(5);
		assertThat(past(Arrays.copyOfRange(values, 5, 12)).usual("x")).as("too little is known").isNull();
		assertThat(past().usual("x")).isNull();
	}

	@Test
	void window_hasNoValues_withoutHistory() {
		HistoryWindow none = HistoryWindow.of(null, 0);
		assertThat(none.isKnown()).isFalse();
		assertThat(none.last("x")).isNull();
		assertThat(none.mean("x")).isNull();
		assertThat(none.times("x")).isZero();
	}

}
