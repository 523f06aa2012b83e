package io.rpcboot.internal.server.scheduling;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

import io.rpcboot.engine.fixture.Load;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A service that gets more calls than it can do, and the threads that it gets. */
@Tag("rounds")
class ThreadCountTunerTests {

	/** Seconds in which threads are tried again and again. */
	private static final int LONG = Load.LONG ? 600 : 150;

	/** More than there are threads: calls do not wait for each other. */
	private static final int UNBOUNDED = 1000;

	private final ServiceConcurrencyLimit pace = new ServiceConcurrencyLimit();

	private final MinServiceTime method = new MinServiceTime();

	/** When those began that run. */
	private final Deque<Long> running = new ArrayDeque<>();

	private int pool = 200;

	private long call = millis(5);

	private long allowed = millis(200);

	/** So many run at full speed; more take turns. */
	private int useful = 2;

	/** By what half of the threads are slower, beyond those of use. */
	private double half = 1;

	/** So many calls of another method end with each, and none is ever late. */
	private int light;

	private final MinServiceTime other = new MinServiceTime();

	/** Threads of the service that never end a call. */
	private int hanging;

	private long now = millis(3_200_000);

	private int late;

	private int most;

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@BeforeEach
	void callsWait() {
		this.pace.waits(this.now);
	}

	/** Returns how many calls ended in a second. */
	private double run(int seconds) {
		this.late = 0;
		this.most = 0;
		int ended = 0;
		long end = this.now + millis(1000L * seconds);
		while (this.now < end) {
			while (threads() < this.pool && this.pace.admits(this.method, threads(), this.allowed, this.now)) {
				this.pace.begins(this.method, threads(), this.allowed, this.now);
				this.running.add(this.now);
			}
			this.most = Math.max(this.most, threads());
			if (this.running.isEmpty()) {
				this.now += millis(1);
				continue;
			}
			long begun = this.running.remove();
			this.now = (this.useful == UNBOUNDED) ? begun + this.call
					: this.now + (long) (this.call / speed(this.running.size() + 1));
			long took = this.now - begun;
			this.late += (took > this.allowed) ? 1 : 0;
			this.pace.ended(this.method, took, took > this.allowed, this.now);
			endLight();
			ended++;
		}
		return (double) ended / seconds;
	}

	private double speed(int threads) {
		return (threads <= this.useful) ? threads
				: this.useful * Math.pow(this.half, -Math.log((double) threads / this.useful) / Math.log(2));
	}

	private void endLight() {
		for (int i = 0; i < this.light; i++) {
			this.pace.begins(this.other, threads(), this.allowed, this.now);
			this.pace.ended(this.other, millis(2), false, this.now);
		}
	}

	/** The same with one that is late each second. */
	private double runLimited(int seconds) {
		double ended = 0;
		for (int i = 0; i < seconds; i++) {
			this.pace.ended(this.method, this.call, true, this.now);
			ended += run(1);
		}
		return ended / seconds;
	}

	private int threads() {
		return this.hanging + this.running.size();
	}

	@Test
	void threads_areReduced_whenMoreAreNoFaster() {
		assertThat(run(10)).as("calls a second").isGreaterThan(0.98 * 400);
		assertThat(this.most).isEqualTo(this.pool);
		assertThat(run(LONG)).isGreaterThan(0.98 * 400);
		assertThat(this.late).isZero();
		assertThat(this.most).as("twice as many as are needed, and those beyond").isLessThan(16);
	}

	@Test
	void service_keepsAllThreads_whenItNeedsThem() {
		this.useful = 150;
		this.pace.ended(this.method, this.allowed, true, this.now);
		assertThat(run(LONG)).as("calls a second").isGreaterThan(0.98 * 30_000);
	}

	@Test
	void threads_increase_whenMoreAreUseful() {
		run(20);
		this.useful = 50;
		run(60);
		assertThat(run(60)).isGreaterThan(0.95 * 10_000);
	}

	@Test
	void threads_decrease_whenFewerAreUseful() {
		this.useful = 50;
		this.pace.ended(this.method, this.allowed, true, this.now);
		run(60);
		this.useful = 2;
		run(60);
		assertThat(run(60)).isGreaterThan(0.98 * 400);
		assertThat(this.most).isLessThan(16);
		assertThat(this.late).isZero();
	}

	@Test
	void hangingCalls_releasePlaces_afterSomeTime() {
		run(20);
		this.hanging = 16;
		run(3);
		assertThat(run(60)).isGreaterThan(0.9 * 400);
	}

	@Test
	void limit_ends_withoutWaitingCalls() {
		run(60);
		assertThat(this.pace.isLimited(this.now)).isTrue();
		this.pace.idle();
		this.now += millis(20_000);
		assertThat(this.pace.isLimited(this.now)).isFalse();
		assertThat(this.pace.admits(this.method, 1000, 1, this.now)).isTrue();
	}

	@Test
	void threads_areUnlimited_beforeFirstLateCall() {
		this.useful = 150;
		assertThat(run(60)).isGreaterThan(0.99 * 30_000);
		assertThat(this.pace.admits(this.method, 1000, 1, this.now)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 20, 100, 200, 300, 400, 450, 500, 600, 1000, 2000 })
	void longCalls_keepTheirThreads(int millis) {
		this.useful = UNBOUNDED;
		this.call = millis(millis);
		this.allowed = 3 * this.call;
		assertThat(runLimited(LONG / 2)).isGreaterThan(0.95 * this.pool * 1000 / millis);
	}

	/** A tenth is the price of half the threads, and of calls that take half as long. */
	@ParameterizedTest
	@ValueSource(doubles = { 0.85, 0.89, 0.92, 0.95, 0.98 })
	void service_keepsMostThroughput_whenThreadsGainLittle(double withHalf) {
		this.half = withHalf;
		this.useful = 5;
		this.pool = 80;
		this.call = millis(20);
		double all = 50 * speed(80);
		runLimited(60);
		assertThat(runLimited(LONG / 2)).isGreaterThan(0.8 * all);
		assertThat(this.most).isGreaterThan(4);
	}

	@Test
	void firstTrial_isComparedWithLimitedCallsOnly() {
		this.useful = UNBOUNDED;
		this.call = millis(100);
		this.allowed = millis(300);
		this.now += millis(300); // of a measurement, in which nothing is counted
		assertThat(runLimited(5)).isGreaterThan(0.9 * 2000);
	}

	@ParameterizedTest
	@ValueSource(ints = { 150, 180, 220 })
	void trials_stop_whenHalfOfThreadsIsNotMeasurable(int millis) {
		this.pool = 8;
		this.useful = UNBOUNDED;
		this.call = millis(millis);
		this.allowed = 3 * this.call;
		runLimited(60);
		assertThat(runLimited(LONG / 2)).isGreaterThan(0.97 * 8000 / millis);
	}

	/** Two of its four threads. */
	@Test
	void longCallsOfUnlimitedMethod_takeNoThreads_fromOtherMethods() {
		run(60);
		this.hanging = 2;
		for (int i = 0; i < 60; i++) {
			this.pace.begins(this.other, threads(), this.allowed, this.now);
			run(1);
			this.pace.ended(this.other, 2 * millis(2000), false, this.now);
		}
		assertThat(run(10)).isGreaterThan(0.95 * 400);
	}

	@Test
	void trial_isSkipped_whenCallsEndRarely() {
		this.pool = 8;
		this.useful = UNBOUNDED;
		this.call = millis(1000);
		this.allowed = millis(3000);
		runLimited(60);
		assertThat(runLimited(LONG / 2)).isGreaterThan(7.9);
	}

	/** Its limit ends every ten seconds, and for a moment too many begin. */
	@Test
	void limitedMethod_keepsThroughput_whenOtherMethodHangs() {
		this.light = 12;
		this.hanging = 10;
		run(20);
		assertThat(run(100)).isGreaterThan(0.85 * 400);
		this.light = 0;
		this.hanging = 0;
		run(30);
		assertThat(this.most).isGreaterThan(16);
		run(60);
		assertThat(this.most).as("alone again").isLessThan(16);
		this.light = 12;
		this.hanging = 10;
		run(2);
		assertThat(run(100)).isGreaterThan(0.85 * 400);
	}

	@Test
	void threads_stayLimited_afterGlobalPause() {
		run(60);
		this.now += millis(3000);
		run(1);
		assertThat(this.most).isLessThan(60);
	}

}
