package io.rpcboot.internal.client.pool;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import io.rpcboot.internal.client.fixture.HandDrivenControl;
import io.rpcboot.internal.client.fixture.HandDrivenControl.Timer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the pauses between attempts to connect that all fail at once. */
class ReconnectBackoffTests {

	private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final HandDrivenControl control = new HandDrivenControl();

	private int attempts;

	private final ReconnectBackoff backoff = new ReconnectBackoff(
			new HandDrivenClient(1, Style.BLOCKING, this.control.executor).runtime, () -> this.attempts++);

	private List<Timer> takeTimers() {
		List<Timer> timers = List.copyOf(this.control.timers);
		this.control.timers.clear();
		return timers;
	}

	private static void assertPause(long nanos, long expectedNanos) {
		assertThat((double) nanos).isBetween(0.8 * expectedNanos, 1.2 * expectedNanos);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 8, 64 })
	void pause_isDoubledEachRound_whateverTheNumberOfConnections(int connections) {
		for (int i = 0; i < connections; i++) {
			this.backoff.later();
		}
		for (int round = 0; round < 12; round++) {
			List<Timer> due = takeTimers();
			assertThat(due).hasSize(connections);
			for (Timer each : due) {
				assertPause(each.nanos(), Math.min(MAX_NANOS, MIN_NANOS << round));
				each.task().run();
				this.backoff.later();
			}
		}
		assertThat(this.attempts).isEqualTo(12 * connections);
	}

	/** The failures of a round come after all of its attempts. */
	@Test
	void pause_isDoubledOnce_whenAttemptsOverlap() {
		this.backoff.later();
		this.backoff.later();
		takeTimers().forEach((each) -> each.task().run());
		this.backoff.later();
		this.backoff.later();
		assertThat(takeTimers()).hasSize(2).allSatisfy((each) -> assertPause(each.nanos(), 2 * MIN_NANOS));
	}

	@Test
	void pause_isShortest_afterConnectionLived() {
		this.backoff.later();
		takeTimers().get(0).task().run();
		this.backoff.later();
		this.backoff.succeeded();
		takeTimers().get(0).task().run(); // scheduled before
		assertPause(this.backoff.later(), MIN_NANOS);
	}

	@Test
	void attemptOfCall_keepsPauseOfItsRound() {
		this.backoff.later();
		takeTimers().get(0).task().run();
		for (int i = 0; i < 5; i++) {
			assertPause(this.backoff.later(), 2 * MIN_NANOS);
			this.backoff.now();
		}
		assertThat(this.attempts).isEqualTo(6);
		assertThat(this.control.timers).isEmpty();
	}

}
