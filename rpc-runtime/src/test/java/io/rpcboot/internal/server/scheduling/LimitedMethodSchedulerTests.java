package io.rpcboot.internal.server.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.CallSchedulerFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service that completes a call each 5 ms, with a method that has late calls and others
 * that have none. 20 calls run.
 */
class LimitedMethodSchedulerTests extends CallSchedulerFixture {

	private static final int RUNNING = 20;

	private final ServiceQueue service = line(200);

	private final ServerMethod late = method(this.service);

	private final ServerMethod prompt = method(this.service);

	@BeforeEach
	void callsAreLate() {
		this.queue = new CallScheduler(this.pool, true, this.clock::get);
		this.service.limit.waits(this.clock.get());
		for (int i = 0; i < 51; i++) {
			pass(5);
			this.service.limit.begins(RUNNING - 1, this.clock.get());
			this.service.limit.ended(this.late.times, TimeUnit.MILLISECONDS.toNanos(100), true, true, this.clock.get());
		}
		assertThat(this.service.limit.limit()).as("a quarter of them, for a window").isEqualTo(RUNNING / 4);
		for (int i = 0; i < RUNNING; i++) {
			this.service.enter(null);
		}
		ServerCall above = arrives(this.late, 100);
		pass(30);
		this.queue.slow();
		assertThat(take()).as("above the limit").isNull();
		above.cancel();
	}

	/** Runs what waits, with a thread that goes on. */
	private void finish(ServerCall last) {
		for (int i = 0; i < RUNNING; i++) {
			this.service.leave(null);
		}
		for (Runnable task = last; task != null; task = this.queue.take(run(task))) {
			assertThat(task).isInstanceOf(ServerCall.class);
		}
	}

	/** P stands for a call of the prompt method, L for one of the other. */
	@ParameterizedTest
	@CsvSource({ "LP, 100", "LPL, 100", "LLLLLLLP, 100", "LLLLLLLPLLLLLLLLLLLL, 100", "LPL, 50", "PL, 50",
			"LLLLLLLLLLLLPLLLLLLL, 50" })
	void promptMethod_runs_whenLimitRejectsCallsBeforeIt(String arrivals, long allowedMillis) {
		List<ServerCall> prompts = new ArrayList<>();
		for (char each : arrivals.toCharArray()) {
			ServerCall call = arrives((each == 'P') ? this.prompt : this.late, allowedMillis);
			if (each == 'P') {
				prompts.add(call);
			}
		}
		pass(30);
		this.queue.slow();
		ServerCall taken = take();
		assertThat(taken).as("a thread is free").isSameAs(prompts.get(0));
		assertThat(take()).as("the others are above the limit").isNull();
		assertThat(this.queue.isEmpty()).as("nobody need be woken").isTrue();
		finish(taken);
	}

	@Test
	void waitForMemory_isNoCompletion() {
		this.prompt.results.accept(1 << 19);
		long all = this.server.account.mostOfOne();
		assertThat(this.server.account.tryReserveOutgoing(all, true)).isTrue();
		List<ServerCall> calls = List.of(arrives(this.prompt, 5_000), arrives(this.prompt, 60_000),
				arrives(this.prompt, 60_000));
		pass(30);
		this.queue.slow();
		ServerCall first = (ServerCall) this.queue.take(null);
		assertThat(first).isSameAs(calls.get(0));
		first.run();
		assertThat(this.server.runtime.memory.waitingCalls()).isOne();
		pass(10_000);
		ServerCall second = (ServerCall) this.queue.take(first);
		assertThat(this.prompt.times.wasLateSince(0)).as("a late call").isFalse();
		this.server.account.release(Direction.OUTGOING, all);
		assertThat(first.started && first.responseStarted).as("it has run").isTrue();
		second.run();
		finish((ServerCall) this.queue.take(second));
	}

	@Test
	void cancelledWaitForMemory_isNoCompletion() {
		this.prompt.results.accept(1 << 19);
		long all = this.server.account.mostOfOne();
		assertThat(this.server.account.tryReserveOutgoing(all, true)).isTrue();
		ServerCall call = arrives(this.prompt, 5_000);
		arrives(this.prompt, 60_000);
		pass(30);
		this.queue.slow();
		assertThat(this.queue.take(null)).isSameAs(call);
		call.run();
		call.cancel();
		assertThat(call.responseStarted).isTrue();
		pass(10_000);
		ServerCall other = (ServerCall) this.queue.take(call);
		assertThat(this.prompt.times.wasLateSince(0)).isFalse();
		this.server.account.release(Direction.OUTGOING, all);
		finish(other);
	}

}
