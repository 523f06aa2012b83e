package io.rpcboot.internal.transport;

import java.time.Duration;

import io.rpcboot.metrics.TransportRecorder.FlushReason;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.BatchingOptions.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class FlushPolicyTests {

	private static FlushPolicy policy(Mode mode) {
		return new FlushPolicy(BatchingOptions.defaults()
			.withMode(mode)
			.withMaxMessages(10)
			.withMaxBytes(2048)
			.withMaxDelay(Duration.ofNanos(700)));
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "AUTO", "ALWAYS" })
	void thresholdsAreReachedNotPassed(Mode mode) {
		FlushPolicy policy = policy(mode);
		assertThat(policy.afterFrame(9, 2047)).isNull();
		assertThat(policy.afterFrame(10, 1)).isEqualTo(FlushReason.MESSAGES);
		assertThat(policy.afterFrame(1, 2048)).isEqualTo(FlushReason.BYTES);
		assertThat(policy.afterFrame(10, 2048)).isEqualTo(FlushReason.MESSAGES);
	}

	@Test
	void neverFlushesTheFirstFrame() {
		assertThat(policy(Mode.NEVER).afterFrame(1, 1)).isEqualTo(FlushReason.MESSAGES);
	}

	@Test
	void alwaysWaitsForTheRestOfTheDelay() {
		FlushPolicy policy = policy(Mode.ALWAYS);
		assertThat(policy.holdsBack()).isTrue();
		assertThat(policy.whenDrained(0)).isEqualTo(700);
		assertThat(policy.whenDrained(699)).isOne();
		assertThat(policy.whenDrained(700)).isZero();
		assertThat(policy.whenDrained(Long.MAX_VALUE)).isZero();
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "AUTO", "NEVER" })
	void othersHoldNothingBack(Mode mode) {
		assertThat(policy(mode).holdsBack()).isFalse();
		assertThat(policy(mode).whenDrained(0)).isZero();
	}

}
