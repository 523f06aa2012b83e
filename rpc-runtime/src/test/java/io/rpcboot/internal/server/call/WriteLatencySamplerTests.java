package io.rpcboot.internal.server.call;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The time of an answer fits into an int, whatever the clock shows. */
class WriteLatencySamplerTests {

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 999, 1000, 2_147_483_647_000L, 2_147_483_648_000L, 4_294_967_295_000L,
			4_294_967_296_000L, -5, Long.MIN_VALUE })
	void compactTime_isNonZeroAndAccurateToMicroseconds(long start) {
		int then = WriteLatencySampler.micros(start);
		assertThat(then).isNotZero();
		assertThat(WriteLatencySampler.since(then, start)).isZero();
		assertThat(WriteLatencySampler.since(then, start + 250_000)).isBetween(248_000L, 252_000L);
		long minutes = TimeUnit.MINUTES.toNanos(35);
		assertThat(WriteLatencySampler.since(then, start + minutes)).isBetween(minutes - 2000, minutes + 2000);
	}

}
