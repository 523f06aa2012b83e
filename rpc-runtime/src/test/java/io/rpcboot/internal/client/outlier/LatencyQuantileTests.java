package io.rpcboot.internal.client.outlier;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatencyQuantileTests {

	private final AtomicLong clock = new AtomicLong();

	private final LatencyQuantile quantile = new LatencyQuantile(0.95, this.clock::get);

	private void add(int calls, int micros) {
		for (int i = 0; i < calls; i++) {
			this.quantile.add(TimeUnit.MICROSECONDS.toNanos(micros));
		}
	}

	private long micros() {
		this.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
		return TimeUnit.NANOSECONDS.toMicros(this.quantile.nanos());
	}

	@Test
	void quantile_isUnknown_withFewCalls() {
		add(99, 1000);
		assertThat(micros()).isZero();
		add(1, 1000);
		assertThat(micros()).isBetween(1000L, 1070L);
	}

	@Test
	void quantile_isLatencyOfSlowest5Percent() {
		add(940, 2000);
		add(60, 50_000);
		assertThat(micros()).isBetween(50_000L, 53_500L);
		add(1000, 2000);
		assertThat(micros()).isBetween(2000L, 2140L);
	}

	@Test
	void oldLatencies_fade() {
		add(30_000, 100_000);
		assertThat(micros()).isBetween(100_000L, 107_000L);
		for (int i = 0; i < 20; i++) {
			add(20_000, 100);
			micros();
		}
		assertThat(micros()).isBetween(100L, 107L);
	}

}
