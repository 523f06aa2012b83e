package io.rpcboot.internal.server.connection;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.transport.connection.Connection.Timers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The age of a connection, by a clock that moves from timer to timer. */
class MaxConnectionAgeTests {

	private static final Duration AGE = Duration.ofMinutes(10);

	private static final Duration GRACE = Duration.ofHours(1);

	private long now;

	private Runnable due;

	private long delay;

	private boolean cancelled;

	private final OldConnection connection = new OldConnection();

	private final MaxConnectionAge age = age(AGE);

	private MaxConnectionAge age(Duration longest) {
		Timers timers = (task, nanos, unit) -> {
			this.due = task;
			this.delay = unit.toNanos(nanos);
			return (ScheduledFuture<?>) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { ScheduledFuture.class },
					(proxy, method, arguments) -> this.cancelled = method.getName().equals("cancel"));
		};
		return new MaxConnectionAge(this.connection, timers, longest.toNanos(), GRACE.toNanos(), () -> this.now);
	}

	private static final class OldConnection implements MaxConnectionAge.AgingConnection {

		private final List<String> done = new ArrayList<>();

		private boolean full;

		private boolean leaving;

		private boolean busy;

		private long lastCall;

		@Override
		public boolean mayBeReplaced() {
			return !this.full;
		}

		@Override
		public boolean isLeaving() {
			return this.leaving;
		}

		@Override
		public boolean isBusy() {
			return this.busy;
		}

		@Override
		public long lastCall() {
			return this.lastCall;
		}

		@Override
		public void requestReplacement() {
			this.done.add("ages");
		}

		@Override
		public void announceGoAway() {
			this.leaving = true;
			this.done.add("refuses");
		}

		@Override
		public void closeGracefully() {
			this.done.add("leaves");
		}

		@Override
		public void closeWithError(String why) {
			this.done.add(why);
		}

	}

	/** Let the time of the timer come. Returns whether there was one. */
	private boolean next() {
		Runnable task = this.due;
		if (task == null) {
			return false;
		}
		this.due = null;
		this.now += this.delay;
		task.run();
		return true;
	}

	private void become(String... steps) {
		for (int i = 0; this.connection.done.size() < steps.length && i < 2000; i++) {
			next();
		}
		assertThat(this.connection.done).containsExactly(steps);
	}

	@ParameterizedTest
	@CsvSource({ "0, 540", "0.5, 600", "1, 660" })
	void connectionAges_areJittered(double random, long seconds) {
		this.age.begins(() -> random);
		assertThat(TimeUnit.NANOSECONDS.toSeconds(this.delay)).isEqualTo(seconds);
		assertThat(this.age.isOld()).isFalse();
		next();
		assertThat(this.connection.done).containsExactly("ages");
		assertThat(this.age.isOld()).isTrue();
	}

	@Test
	void zeroAge_schedulesNoTimer() {
		age(Duration.ZERO).begins(() -> 0.5);
		assertThat(this.due).isNull();
	}

	@Test
	void idleConnection_refusesThenCloses_afterMaxAge() {
		this.age.begins(() -> 0.5);
		become("ages", "refuses", "leaves");
		assertThat(Duration.ofNanos(this.now)).as("two looks after the client was told").isEqualTo(AGE.plusSeconds(10));
		assertThat(next()).as("a further look").isFalse();
	}

	@Test
	void callsOnOldConnection_areServed_untilClientLeaveTimeIsOver() {
		this.age.begins(() -> 0.5);
		become("ages");
		long told = this.now;
		while (this.connection.done.size() < 2) {
			this.connection.lastCall++;
			next();
		}
		assertThat(this.connection.done).containsExactly("ages", "refuses");
		assertThat(this.now - told).isEqualTo(MaxConnectionAge.LEAVE_NANOS);
	}

	@Test
	void callsInFlight_areFinished_beforeOldConnectionCloses() {
		this.connection.busy = true;
		this.age.begins(() -> 0.5);
		become("ages", "refuses");
		for (int i = 0; i < 100; i++) {
			next();
		}
		assertThat(this.connection.done).as("8 minutes later").hasSize(2);
		this.connection.busy = false;
		become("ages", "refuses", "leaves");
	}

	@Test
	void hangingCall_isAborted_afterGracePeriod() {
		this.connection.busy = true;
		this.age.begins(() -> 0.5);
		become("ages", "refuses",
				"calls are in flight at the end of rpc.server.connection-max-age-grace, which is PT1H");
		assertThat(Duration.ofNanos(this.now)).isEqualTo(AGE.plus(GRACE));
		assertThat(next()).isFalse();
	}

	@Test
	void oldConnection_stays_whenServerIsFull() {
		this.connection.full = true;
		this.age.begins(() -> 0.5);
		for (int i = 0; i < 100; i++) {
			next();
		}
		assertThat(this.connection.done).isEmpty();
		this.connection.full = false;
		become("ages");
	}

	@Test
	void ageTimer_stops_duringShutdown() {
		this.age.begins(() -> 0.5);
		this.connection.leaving = true;
		next();
		assertThat(this.connection.done).isEmpty();
		assertThat(next()).isFalse();
	}

	@Test
	void connectionEnd_cancelsAgeTimer() {
		this.age.begins(() -> 0.5);
		this.age.stop();
		assertThat(this.cancelled).isTrue();
	}

}
