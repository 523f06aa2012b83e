package io.rpcboot.spring.actuate;

import java.util.Map;

import io.rpcboot.metrics.history.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Numbers of the last minutes, with gaps. */
class PastTests {

	private static Past past(double... values) {
		return Past.of(new Table(5000, new long[values.length], Map.of("x", values)));
	}

	@Test
	void theLastValueIsTheNewestThatIsKnown() {
		assertThat(past(1, 2, Double.NaN).last("x")).isEqualTo(2);
		assertThat(past(Double.NaN).last("x")).isNull();
		assertThat(past(1).last("y")).isNull();
	}

	@Test
	void meanAndLeastAreThoseOfTwelveIntervals() {
		Past past = past(1000, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 5);
		assertThat(past.mean("x")).isEqualTo(3);
		assertThat(past.least("x")).isEqualTo(1);
		assertThat(past(4, Double.NaN, 6).mean("x")).isEqualTo(5);
		assertThat(past(Double.NaN).mean("x")).isNull();
		assertThat(past().least("x")).isNull();
	}

	@Test
	void ratesBecomeTimes() {
		assertThat(past(0.2, Double.NaN, 0.4).times("x")).isEqualTo(3);
		assertThat(past().times("y")).isZero();
	}

	@Test
	void withoutAHistoryNothingIsKnown() {
		Past none = Past.of(null, 0);
		assertThat(none.isKnown()).isFalse();
		assertThat(none.last("x")).isNull();
		assertThat(none.mean("x")).isNull();
		assertThat(none.times("x")).isZero();
	}

}
