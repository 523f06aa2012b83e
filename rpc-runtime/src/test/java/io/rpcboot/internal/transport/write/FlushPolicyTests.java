package io.rpcboot.internal.transport.write;

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
	void flush_isDue_whenThresholdIsReached(Mode mode) {
		FlushPolicy policy = policy(mode);
		assertThat(policy.afterFrame(9, 2047)).isNull();
		assertThat(policy.afterFrame(10, 1)).isEqualTo(FlushReason.MESSAGES);
		assertThat(policy.afterFrame(1, 2048)).isEqualTo(FlushReason.BYTES);
		assertThat(policy.afterFrame(10, 2048)).isEqualTo(FlushReason.MESSAGES);
	}

	@Test
	void neverMode_flushesEachFrame() {
		assertThat(policy(Mode.NEVER).afterFrame(1, 1)).isEqualTo(FlushReason.MESSAGES);
	}

	@Test
	void alwaysMode_holdsFrames_withoutDecisions() {
		FlushPolicy policy = policy(Mode.ALWAYS);
		assertThat(policy.holdNanos).isEqualTo(700);
		assertThat(policy.triesRound()).isFalse();
		assertThat(policy.decisions).containsOnly(0);
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "AUTO", "NEVER" })
	void otherModes_holdNoFrames(Mode mode) {
		assertThat(policy(mode).holdNanos).isZero();
	}

	@Test
	void autoMode_countsDecisions() {
		FlushPolicy policy = policy(Mode.AUTO);
		for (int i = 1; i < FlushPolicy.PROBE_INTERVAL; i++) {
			assertThat(policy.triesRound()).isFalse();
		}
		assertThat(policy.triesRound()).isTrue();
		assertThat(policy.decisions).containsExactly(FlushPolicy.PROBE_INTERVAL - 1, 0, 1);
		assertThat(policy.triesAnotherRound(8, 0)).isTrue();
		assertThat(policy.triesRound()).isTrue();
		assertThat(policy.decisions).containsExactly(FlushPolicy.PROBE_INTERVAL - 1, 1, 1);
	}

}
