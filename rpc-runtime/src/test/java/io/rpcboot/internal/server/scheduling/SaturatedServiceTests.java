package io.rpcboot.internal.server.scheduling;

import java.util.ArrayDeque;
import java.util.Queue;

import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.CallSchedulerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service whose calls wait for each other in their implementation: with 200 threads
 * each would take a second, and have 300 ms.
 */
class SaturatedServiceTests extends CallSchedulerFixture {

	private static final int THREADS = 200;

	private static final long CALL_MILLIS = 5;

	private static final long TIMEOUT_MILLIS = 300;

	/** Calls that run, in the order in which the implementation lets them go on. */
	private final Queue<Runnable> running = new ArrayDeque<>();

	private ServerMethod saturated;

	private int inTime;

	private int executed;

	/** Each step is as long as a call takes alone. */
	private void steps(int steps, int arrivalsInEach) {
		for (int i = 0; i < steps; i++) {
			for (int j = 0; j < arrivalsInEach; j++) {
				arrives(this.saturated, TIMEOUT_MILLIS);
			}
			if (i % 20 == 19) {
				this.queue.sweep(); // the beat
			}
			Runnable ended = this.running.poll();
			if (ended != null) {
				this.executed++;
				if (this.clock.get() - ((ServerCall) ended).startNanos <= TIMEOUT_MILLIS * 1_000_000) {
					this.inTime++;
				}
				else {
					this.queue.slow();
				}
				run(ended);
				begins(this.queue.take(ended));
			}
			while (this.running.size() < THREADS && begins(this.queue.take(null))) {
				assertThat(this.running).hasSizeLessThanOrEqualTo(THREADS);
			}
			pass(CALL_MILLIS);
		}
	}

	private boolean begins(Runnable task) {
		if (task == null) {
			return false;
		}
		ServerCall call = (ServerCall) task;
		if (this.clock.get() - call.queuedOrStartedNanos >= ServiceQueue.SLOW_NANOS) {
			this.queue.slow();
		}
		call.started = true;
		call.queuedOrStartedNanos = this.clock.get();
		this.running.add(call);
		return true;
	}

	/** Of a server with a single service, or with several. */
	private void serve(boolean shared) {
		this.queue = new CallScheduler(this.pool, shared, this.clock::get, this.running::size);
	}

	@ParameterizedTest
	@CsvSource({ "2, false", "10, false", "2, true", "10, true" })
	void saturatedService_executesMostCalls_beforeTheirDeadline(int load, boolean shared) {
		serve(shared);
		this.saturated = method(THREADS);
		steps(400, load);
		this.inTime = 0;
		this.executed = 0;
		steps(2000, load);
		assertThat(this.executed).as("its thread is never idle").isEqualTo(2000);
		assertThat(this.inTime).isGreaterThan(1800);
		everyoneEnds();
	}

	/** A thread is free for each, and each takes half a second. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void fewCallers_areAnsweredInTime_althoughNoneWaits(boolean shared) {
		serve(shared);
		this.saturated = method(THREADS);
		for (int i = 0; i < THREADS / 2; i++) {
			arrives(this.saturated, TIMEOUT_MILLIS);
		}
		steps(400, 1);
		this.inTime = 0;
		this.executed = 0;
		steps(2000, 1);
		assertThat(this.executed).isGreaterThan(1900);
		assertThat(this.inTime).isGreaterThan(1800);
		everyoneEnds();
	}

	@Test
	void limit_isLifted_afterServiceRecovers() {
		serve(false);
		this.saturated = method(THREADS);
		steps(1000, 10);
		assertThat(this.running).hasSizeLessThan(THREADS / 2);
		everyoneEnds();
		pass(11_000);
		for (int i = 0; i < 150; i++) {
			arrives(this.saturated, TIMEOUT_MILLIS);
			assertThat(begins(this.queue.take(null))).as("call %d of a burst", i).isTrue();
		}
		everyoneEnds();
	}

	private void everyoneEnds() {
		for (Runnable ended = this.running.poll(); ended != null; ended = this.running.poll()) {
			run(ended);
			begins(this.queue.take(ended));
		}
	}

}
