package io.rpcboot.metrics.micrometer;

import java.time.Duration;

import io.micrometer.core.instrument.MockClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallTimesTests {

	private final MockClock clock = new MockClock();

	private final CallTimes times = new CallTimes(this.clock);

	@Test
	void maximum_isKeptForMinutes_afterRead() {
		this.times.record(7_000);
		this.times.record(5_000);
		assertThat(this.times.maxNanos()).isEqualTo(7_000);
		this.times.record(3_000);
		assertThat(this.times.maxNanos()).as("read by another").isEqualTo(7_000);
		this.clock.add(Duration.ofMinutes(4));
		assertThat(this.times.maxNanos()).isZero();
		this.times.record(3_000);
		assertThat(this.times.maxNanos()).isEqualTo(3_000);
	}

	@Test
	void maximum_isKept_untilFirstRead() {
		this.times.record(new long[] { 4_000, 9_000, 1_000 }, 2);
		this.clock.add(Duration.ofHours(1));
		assertThat(this.times.maxNanos()).isEqualTo(9_000);
		assertThat(this.times.count()).isEqualTo(2);
		assertThat(this.times.totalNanos()).isEqualTo(13_000);
	}

}
