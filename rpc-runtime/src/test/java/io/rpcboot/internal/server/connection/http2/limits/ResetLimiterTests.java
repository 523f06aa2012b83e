package io.rpcboot.internal.server.connection.http2.limits;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The number of resets that a client may cause. */
class ResetLimiterTests {

	private static final long INTERVAL = TimeUnit.SECONDS.toNanos(30);

	private final ResetLimiter resets = new ResetLimiter();

	/** Also a clock whose numbers are negative or overflow. */
	@ParameterizedTest
	@CsvSource({ "0, 1, 200", "5, 100, 200", "-7, 101, 202", "9223372036854775807, 1000, 2000" })
	void resets_areLimited_byStreams(long now, long streams, int allowed) {
		for (int i = 0; i < allowed; i++) {
			assertThat(this.resets.onReset(now + i, streams)).as("reset %d", i + 1).isTrue();
		}
		assertThat(this.resets.onReset(now + allowed, streams)).isFalse();
	}

	@Test
	void resets_areForgotten_withTime() {
		resets_areLimited_byStreams(0, 100, 200);
		resets_areLimited_byStreams(INTERVAL / 2, 100, 100);
		resets_areLimited_byStreams(2 * INTERVAL, 100, 200);
	}

	/** A larger limit allows more resets, and forgets as many in the same time. */
	@Test
	void resets_areLimited_byChangedLimit() {
		resets_areLimited_byStreams(0, 100, 200);
		resets_areLimited_byStreams(INTERVAL / 2, 1000, 1000);
	}

	@Test
	void client_mayCancelHalfOfItsCalls_forAllTime() {
		for (int i = 0; i < 100_000; i++) {
			this.resets.onResponse();
			assertThat(this.resets.onReset(i, 100)).isTrue();
		}
	}

	@Test
	void responses_giveNoCreditInAdvance() {
		for (int i = 0; i < 100_000; i++) {
			this.resets.onResponse();
		}
		resets_areLimited_byStreams(0, 100, 200);
	}

}
