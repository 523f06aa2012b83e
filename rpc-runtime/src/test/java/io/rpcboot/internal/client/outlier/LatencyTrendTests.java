package io.rpcboot.internal.client.outlier;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.resilience.EjectionOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Slow instances, also if there are only two. */
class LatencyTrendTests {

	private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final int CHECKS_PER_SECOND = 4;

	private final List<LatencyTrend> two = Stream.generate(() -> new LatencyTrend(2)).limit(2).toList();

	private long now;

	private void check() {
		this.now += CHECK_NANOS;
		LatencyTrend.compare(this.two, EjectionOptions.defaults(), this.now);
	}

	private void call(int instance, int method, double millis) {
		this.two.get(instance).add(method, 1, FixedPointLog2.of(Math.round(millis * 1e6)), this.now);
	}

	/** Runs checks with calls at one in a number of them. */
	private void run(int seconds, double millisOfOne, int everyOfOne, double millisOfOther, int everyOfOther) {
		for (int i = 0; i < seconds * CHECKS_PER_SECOND; i++) {
			if (i % everyOfOne == 0) {
				call(0, 0, millisOfOne);
			}
			if (i % everyOfOther == 0) {
				call(1, 0, millisOfOther);
			}
			check();
		}
	}

	@ParameterizedTest(name = "{0} ms every {1} checks beside {2} ms: {3}")
	@CsvSource({ "400, 1, 3, true", "400, 28, 3, true", "40, 1, 3, true", "40, 28, 3, true", "31, 1, 10, true",
			"29, 1, 10, false", "11, 1, 3, false", "0.9, 1, 0.1, false", "3, 1, 3, false", "3000, 28, 900, true",
			"200, 4, 40, true", "110, 4, 40, false" })
	void slowInstanceOfTwo_isReported_fromThreeTimesOn(double millis, int every, double elsewhere, boolean slow) {
		run(60, millis, every, elsewhere, 1);
		assertThat(this.two.get(0).slowness().isEmpty()).isNotEqualTo(slow);
		assertThat(this.two.get(1).slowness()).isEmpty();
	}

	/** The balancer sends one call in seven seconds to it, and sent thousands before. */
	@Test
	void instanceThatBecomesSlow_isReported_althoughItGetsFewCalls() {
		run(120, 3, 1, 3, 1);
		assertThat(this.two.get(0).slowness()).isEmpty();
		run(30, 400, 28, 3, 1);
		assertThat(this.two.get(0).slowness()).startsWith("a typical call takes ").endsWith("elsewhere 3.0 ms");
		run(5, 3, 1, 3, 1);
		run(20, 3, 1, 3, 1);
		assertThat(this.two.get(0).slowness()).as("recovered").isEmpty();
	}

	@Test
	void singleSlowCall_isNotReported() {
		run(30, 3, 1, 3, 1);
		call(0, 0, 900);
		check();
		assertThat(this.two.get(0).slowness()).isEmpty();
		run(30, 3, 4, 3, 4);
		call(0, 0, 30);
		check();
		assertThat(this.two.get(0).slowness()).isEmpty();
	}

	@Test
	void instance_isNotCompared_byOtherMethods() {
		for (int i = 0; i < 100; i++) {
			call(0, 0, 400);
			call(1, 1, 3);
			check();
		}
		assertThat(this.two.get(0).slowness()).as("nobody knows how long the method takes elsewhere").isEmpty();
		for (int i = 0; i < 100; i++) {
			call(1, 0, 400);
			check();
		}
		assertThat(this.two.get(0).slowness()).as("a long method is long everywhere").isEmpty();
	}

	@Test
	void report_ends_whenNobodyCalls() {
		run(30, 400, 4, 3, 1);
		assertThat(this.two.get(0).slowness()).isNotEmpty();
		this.now += TimeUnit.MINUTES.toNanos(10);
		check();
		assertThat(this.two.get(0).slowness()).isEmpty();
	}

	@Test
	void report_doesNotFlicker_nearTheBound() {
		run(40, 33, 1, 10, 1);
		assertThat(this.two.get(0).slowness()).isNotEmpty();
		run(40, 27, 1, 10, 1);
		assertThat(this.two.get(0).slowness()).as("2.7 times").isNotEmpty();
		run(60, 15, 1, 10, 1);
		assertThat(this.two.get(0).slowness()).as("1.5 times").isEmpty();
	}

}
