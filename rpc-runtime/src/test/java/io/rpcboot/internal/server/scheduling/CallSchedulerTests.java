package io.rpcboot.internal.server.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.CallSchedulerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The order in which workers take calls. */
@Tag("races")
class CallSchedulerTests extends CallSchedulerFixture {

	@Test
	void queue_isFifo_withoutBacklog() {
		ServerCall first = arrives(1000);
		ServerCall second = arrives(1000);
		assertThat(take()).isSameAs(first);
		ServerCall third = arrives(1000);
		assertThat(take()).isSameAs(second);
		assertThat(take()).isSameAs(third);
		assertThat(take()).isNull();
	}

	@Test
	void backlog_isFifo_whileDeadlinesAreFar() {
		List<ServerCall> arrived = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			arrived.add(arrives(3000));
			pass(1);
		}
		List<ServerCall> taken = new ArrayList<>();
		for (int i = 0; i < 1000; i++) { // as many blocking callers do
			taken.add(take());
			arrived.add(arrives(3000));
			pass(1);
		}
		assertThat(taken).isEqualTo(arrived.subList(0, 1000));
	}

	@Test
	void queue_isLifo_whenOldestUsedHalfItsTimeout() {
		arrives(1000);
		ServerCall oldest = arrives(1000);
		pass(100);
		take();
		assertThat(this.queue.size()).as("none was taken over").isZero();
		pass(401);
		ServerCall newer = arrives(1000);
		ServerCall newest = arrives(1000);
		assertThat(take()).isSameAs(newest);
		ServerCall fresh = arrives(1000);
		assertThat(take()).isSameAs(fresh);
		assertThat(take()).isSameAs(newer);
		assertThat(take()).isSameAs(oldest);
	}

	@Test
	void queue_isFifoAgain_afterItWasEmpty() {
		queue_isLifo_whenOldestUsedHalfItsTimeout();
		pass(1000);
		queue_isFifo_withoutBacklog();
		backlog_isFifo_whileDeadlinesAreFar();
	}

	@Test
	void queue_isFifoAgain_afterOldestCallsExpired() {
		for (int i = 0; i < 10; i++) {
			arrives(1000);
		}
		this.queue.slow();
		pass(900);
		ServerCall later = arrives(1000);
		assertThat(take()).isSameAs(later);
		ServerCall first = arrives(1000);
		pass(101);
		ServerCall second = arrives(1000);
		assertThat(take()).as("the others are over").isSameAs(first);
		assertThat(take()).isSameAs(second);
		assertThat(inFlight()).isZero();
	}

	@Test
	void queue_isFifo_untilOldestUsesHalfItsTimeout() {
		ServerCall first = arrives(40);
		this.queue.slow();
		pass(10);
		ServerCall second = arrives(40);
		pass(10);
		assertThat(take()).isSameAs(first);
		assertThat(take()).isSameAs(second);
	}

	@Test
	void queue_isFifo_withoutDeadlines() {
		ServerCall first = arrives(FOREVER);
		this.queue.slow();
		pass(3_600_000);
		arrives(FOREVER);
		assertThat(take()).isSameAs(first);
	}

	@Test
	void take_endsBoundedNumberOfExpiredCalls() {
		for (int i = 0; i < 20; i++) {
			arrives(100);
		}
		this.queue.slow();
		assertThat(take()).isNotNull();
		pass(110);
		this.queue.slow();
		ServerCall alive = arrives(100);
		assertThat(inFlight()).isEqualTo(20);
		assertThat(take()).isSameAs(alive);
		assertThat(inFlight()).as("a bounded number is ended by one take").isEqualTo(3);
		assertThat(take()).isNull();
		assertThat(inFlight()).isZero();
	}

	@Test
	void sweep_endsExpiredCalls_withoutTakers() {
		arrives(FOREVER);
		for (int i = 0; i < 1000; i++) {
			arrives((i % 2 == 0) ? 200 : 400);
		}
		pass(50);
		this.queue.sweep();
		assertThat(inFlight()).isEqualTo(1001);
		pass(151);
		this.queue.sweep();
		assertThat(inFlight()).isEqualTo(501);
		pass(200);
		this.queue.sweep();
		assertThat(inFlight()).isOne();
		assertThat(this.queue.size()).isOne();
	}

	@Test
	void cancelledCall_leavesQueueAtOnce() {
		List<ServerCall> calls = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			calls.add(arrives(FOREVER));
		}
		for (int cancelled : new int[] { 2, 0, 4 }) {
			cancel(calls.get(cancelled));
		}
		assertThat(inFlight()).isEqualTo(2);
		cancel(calls.get(2)); // twice
		assertThat(take()).isSameAs(calls.get(1));
		cancel(calls.get(1)); // too late
		assertThat(take()).isSameAs(calls.get(3));
		assertThat(take()).isNull();
		assertThat(inFlight()).isZero();
	}

	private void cancel(ServerCall call) {
		call.cancelled = true;
		this.queue.cancelled(call);
	}

	@Test
	void callReturnedFromMemoryWait_isNotCountedAsOldest() {
		ServerCall first = arrives(1000);
		first.awaitedMemory = true; // and came back
		pass(600);
		ServerCall second = arrives(1000);
		this.queue.slow();
		assertThat(take()).isSameAs(first);
		assertThat(take()).isSameAs(second);
	}

	@Test
	void otherTasks_areNotDelayedByCallOrder() {
		ServerCall first = arrives(1000);
		pass(600);
		this.queue.slow();
		arrives(1000);
		AtomicLong ran = new AtomicLong();
		this.pool.publish(ran::incrementAndGet);
		Runnable other = this.queue.take(null);
		assertThat(other).isNotNull().isNotInstanceOf(ServerCall.class);
		assertThat(take()).isNotNull().isNotSameAs(first);
		assertThat(take()).isSameAs(first);
	}

	@Test
	void queuedCalls_run_whenPoolCloses() {
		this.queue.slow();
		arrives(FOREVER);
		arrives(FOREVER);
		take();
		arrives(FOREVER);
		pass(1000);
		arrives(FOREVER);
		this.queue.sweep();
		assertThat(this.queue.size()).isEqualTo(3);
		this.pool.close();
		assertThat(inFlight()).isZero();
	}

	/** Takers, a canceller and a sweeper meet; whoever gets a call ends it. */
	@Test
	void call_endsOnce_whenTakersCancelAndSweepRace() throws Exception {
		this.queue = new CallScheduler(this.pool, false, System::nanoTime);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			CyclicBarrier barrier = new CyclicBarrier(3);
			for (int round = 0; round < 3000; round++) {
				this.clock.set(System.nanoTime());
				List<ServerCall> calls = new ArrayList<>();
				for (int i = 0; i < 6; i++) {
					calls.add(arrives((i == 3) ? 0 : FOREVER));
				}
				if (round % 2 == 0) {
					this.queue.slow();
				}
				Future<?> taker = threads.submit(() -> {
					barrier.await();
					for (Runnable task = this.queue.take(null); task != null; task = this.queue.take(null)) {
						task.run();
					}
					return null;
				});
				Future<?> sweeper = threads.submit(() -> {
					barrier.await();
					this.queue.sweep();
					return null;
				});
				barrier.await();
				for (int i = 0; i < 3; i++) {
					cancel(calls.get(ThreadLocalRandom.current().nextInt(calls.size())));
				}
				taker.get(20, TimeUnit.SECONDS);
				sweeper.get(20, TimeUnit.SECONDS);
				for (Runnable task = this.queue.take(null); task != null; task = this.queue.take(null)) {
					task.run();
				}
				assertThat(inFlight()).as("round %d", round).isZero();
				assertThat(calls).allMatch((call) -> call.responseStarted);
				this.server.channel.releaseOutbound();
			}
		}
		finally {
			threads.shutdown();
		}
	}

}
