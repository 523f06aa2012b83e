package io.rpcboot.internal.transport.connection;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the time limit that the time without a processor does not use up. */
class PatientTimerTests {

	private final EmbeddedChannel channel = new EmbeddedChannel();

	private final PatientTimer timer = new PatientTimer(Duration.ofSeconds(12));

	private int ends;

	PatientTimerTests() {
		this.channel.freezeTime();
	}

	@AfterEach
	void close() {
		this.channel.finishAndReleaseAll();
	}

	private ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
		return this.channel.eventLoop().schedule(task, delay, unit);
	}

	private void start() {
		this.timer.start(this::schedule, () -> this.ends++);
	}

	private void pass(int seconds) {
		this.channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
		this.channel.runScheduledPendingTasks();
	}

	private void passEachSecond(int seconds) {
		for (int i = 0; i < seconds; i++) {
			pass(1);
		}
	}

	@Test
	void time_isOverOnce_afterLimit() {
		start();
		passEachSecond(11);
		assertThat(this.ends).isZero();
		passEachSecond(10);
		assertThat(this.ends).isOne();
	}

	@Test
	void timeWithoutProcessor_countsAsOnePart() {
		start();
		pass(1000);
		passEachSecond(10);
		assertThat(this.ends).isZero();
		passEachSecond(1);
		assertThat(this.ends).isOne();
	}

	@Test
	void start_beginsAgain_whenTimeHasBegun() {
		start();
		passEachSecond(8);
		start();
		passEachSecond(11);
		assertThat(this.ends).isZero();
		passEachSecond(1);
		assertThat(this.ends).isOne();
	}

	@Test
	void stoppedTime_isNeverOver() {
		this.timer.stop();
		start();
		passEachSecond(8);
		this.timer.stop();
		passEachSecond(20);
		assertThat(this.ends).isZero();
	}

}
