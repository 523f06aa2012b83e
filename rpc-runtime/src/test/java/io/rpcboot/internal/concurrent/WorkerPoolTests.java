package io.rpcboot.internal.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.fixture.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
@Tag("races")
class WorkerPoolTests {

	private final CountDownLatch release = new CountDownLatch(1);

	private WorkerPool pool = new WorkerPool("test-worker-", 4);

	@AfterEach
	void stop() {
		this.release.countDown();
		this.pool.close();
		Eventually.until("threads end", () -> this.pool.threads() == 0);
	}

	private void block(CountDownLatch started) {
		started.countDown();
		try {
			this.release.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void await(CountDownLatch latch) throws InterruptedException {
		assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void publishedTask_runs_afterWake() throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		this.pool.publish(ran::countDown);
		assertThat(this.pool.threads()).isZero();
		this.pool.wake();
		await(ran);
		assertThat(this.pool.threads()).isOne();
	}

	@Test
	void singleWake_runsWholeBatch() throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1000);
		for (int i = 0; i < 1000; i++) {
			this.pool.publish(ran::countDown);
		}
		this.pool.wake();
		await(ran);
		assertThat(this.pool.threads()).isBetween(1, 4);
	}

	@Test
	void blockedTasks_delayNoOtherTask_whileWorkerIsFree() throws InterruptedException {
		CountDownLatch blocked = new CountDownLatch(3);
		CountDownLatch ran = new CountDownLatch(100);
		for (int i = 0; i < 3; i++) {
			this.pool.publish(() -> block(blocked));
		}
		for (int i = 0; i < 100; i++) {
			this.pool.publish(ran::countDown);
		}
		this.pool.wake();
		await(blocked);
		await(ran);
		assertThat(this.pool.threads()).isEqualTo(4);
	}

	@Test
	void threads_areLimitedToMaximum() throws InterruptedException {
		CountDownLatch blocked = new CountDownLatch(4);
		AtomicInteger begun = new AtomicInteger();
		for (int i = 0; i < 20; i++) {
			this.pool.publish(() -> {
				begun.incrementAndGet();
				block(blocked);
			});
			this.pool.wake();
		}
		await(blocked);
		assertThat(this.pool.threads()).isEqualTo(4);
		assertThat(begun).hasValue(4);
		this.release.countDown();
		Eventually.until("all run", () -> begun.get() == 20);
	}

	@Test
	void sequentialShortTasks_useFewThreads() throws InterruptedException {
		this.pool = new WorkerPool("test-worker-", 100);
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		for (int i = 0; i < 100; i++) {
			CountDownLatch ran = new CountDownLatch(1);
			this.pool.publish(() -> {
				threads.add(Thread.currentThread());
				ran.countDown();
			});
			this.pool.wake();
			await(ran);
		}
		assertThat(threads).as("a worker may not be back when the next task comes").hasSizeLessThan(20);
		assertThat(threads).allMatch((thread) -> thread.isDaemon() && thread.getName().startsWith("test-worker-"));
	}

	@Test
	void failingOrInterruptingTask_leavesOtherTasksUnaffected() throws InterruptedException {
		this.pool.close();
		this.pool = new WorkerPool("test-worker-", 1);
		CountDownLatch ran = new CountDownLatch(1);
		AtomicInteger interrupted = new AtomicInteger();
		this.pool.publish(() -> {
			throw new IllegalStateException("thrown on purpose");
		});
		this.pool.publish(() -> Thread.currentThread().interrupt());
		this.pool.publish(() -> {
			interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
			ran.countDown();
		});
		this.pool.wake();
		await(ran);
		assertThat(interrupted).hasValue(0);
		assertThat(this.pool.threads()).isOne();
	}

	/** An idle thread that is woken and ends must pass the task on. */
	@Test
	void task_runs_whenIdleThreadsBecomeSurplus() throws InterruptedException {
		for (int round = 0; round < 50; round++) {
			this.pool.maxThreads(4);
			CountDownLatch busy = new CountDownLatch(4);
			for (int i = 0; i < 4; i++) {
				this.pool.execute(() -> {
					busy.countDown();
					Eventually.until("four run", () -> busy.getCount() == 0);
				});
			}
			await(busy);
			this.pool.maxThreads(1);
			for (int i = 0; i < 5; i++) {
				CountDownLatch ran = new CountDownLatch(1);
				this.pool.execute(ran::countDown);
				await(ran);
			}
		}
		Eventually.until("one is left", () -> {
			this.pool.execute(() -> {
			});
			return this.pool.threads() <= 1;
		});
	}

	@Test
	void oneSurplusThread_ends_whenAllEndTheirTasksTogether() throws InterruptedException {
		for (int round = 0; round < 50; round++) {
			this.pool.maxThreads(8);
			CountDownLatch busy = new CountDownLatch(8);
			CountDownLatch released = new CountDownLatch(1);
			for (int i = 0; i < 8; i++) {
				this.pool.execute(() -> {
					busy.countDown();
					Eventually.until("all are released", () -> released.getCount() == 0);
				});
			}
			await(busy);
			this.pool.maxThreads(7);
			released.countDown();
			Eventually.until("one has ended", () -> this.pool.threads() <= 7);
			assertThat(this.pool.threads()).isEqualTo(7);
		}
	}

	/** A watchdog that was a moment late, for instance. */
	@Test
	void lateInterrupt_leavesNextTaskUnaffected() throws InterruptedException {
		this.pool.close();
		this.pool = new WorkerPool("test-worker-", 1);
		AtomicReference<Thread> worker = new AtomicReference<>();
		CountDownLatch first = new CountDownLatch(1);
		this.pool.execute(() -> {
			worker.set(Thread.currentThread());
			first.countDown();
		});
		await(first);
		Eventually.until("it waits", () -> !this.pool.idle.isEmpty());
		worker.get().interrupt();
		Eventually.until("it waits again", () -> !worker.get().isInterrupted());
		worker.get().interrupt();
		AtomicInteger interrupted = new AtomicInteger();
		CountDownLatch ran = new CountDownLatch(1);
		this.pool.execute(() -> {
			interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
			ran.countDown();
		});
		await(ran);
		assertThat(interrupted).hasValue(0);
	}

	@Test
	void close_runsQueuedAndLaterTasks() throws InterruptedException {
		CountDownLatch blocked = new CountDownLatch(4);
		CountDownLatch queued = new CountDownLatch(10);
		for (int i = 0; i < 4; i++) {
			this.pool.publish(() -> block(blocked));
		}
		this.pool.wake();
		await(blocked);
		for (int i = 0; i < 10; i++) {
			this.pool.publish(queued::countDown);
		}
		this.pool.close();
		assertThat(queued.getCount()).isZero();
		CountDownLatch late = new CountDownLatch(1);
		this.pool.publish(late::countDown);
		this.pool.wake();
		assertThat(late.getCount()).isZero();
	}

	@Test
	void concurrentlyPublishedTasks_runOnceEach() throws InterruptedException {
		int publishers = 4;
		int perPublisher = 50_000;
		AtomicInteger ran = new AtomicInteger();
		Thread[] threads = new Thread[publishers];
		for (int t = 0; t < publishers; t++) {
			threads[t] = new Thread(() -> {
				for (int i = 0; i < perPublisher; i++) {
					this.pool.publish(ran::incrementAndGet);
					if (i % 3 != 0 || i == perPublisher - 1) {
						this.pool.wake();
					}
				}
			});
			threads[t].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		Eventually.until("all run", () -> ran.get() == publishers * perPublisher);
		assertThat(this.pool.threads()).isBetween(1, 4);
	}

	/** One worker at most, so every publisher meets it busy, falling idle, or idle. */
	@Test
	void wakes_areNotLost_whenWorkerBecomesIdle() throws InterruptedException {
		this.pool.close();
		this.pool = new WorkerPool("test-worker-", 1);
		AtomicInteger finished = new AtomicInteger();
		Thread[] threads = new Thread[3];
		for (int t = 0; t < threads.length; t++) {
			threads[t] = new Thread(() -> {
				for (int i = 0; i < 20_000; i++) {
					CountDownLatch ran = new CountDownLatch(1);
					this.pool.publish(ran::countDown);
					this.pool.wake();
					try {
						if (!ran.await(20, TimeUnit.SECONDS)) {
							return;
						}
					}
					catch (InterruptedException ex) {
						return;
					}
				}
				finished.incrementAndGet();
			});
			threads[t].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(finished).hasValue(threads.length);
	}

	@Test
	void tasks_areNotLost_whenPoolClosesDuringPublishing() throws InterruptedException {
		for (int round = 0; round < 100; round++) {
			WorkerPool closing = new WorkerPool("test-worker-", 2);
			AtomicInteger ran = new AtomicInteger();
			Thread publisher = new Thread(() -> {
				for (int i = 0; i < 500; i++) {
					closing.publish(ran::incrementAndGet);
					closing.wake();
				}
			});
			publisher.start();
			Eventually.until("begun", () -> ran.get() > 0);
			closing.close();
			publisher.join();
			Eventually.until("all run", () -> ran.get() == 500);
			Eventually.until("threads end", () -> closing.threads() == 0);
		}
	}

	@Test
	void taskOrder_choosesNextTask() throws InterruptedException {
		this.pool.close();
		this.pool = new WorkerPool("test-worker-", 1);
		NewestFirst order = new NewestFirst(this.pool.arrivals());
		CountDownLatch blocked = new CountDownLatch(1);
		this.pool.execute(() -> block(blocked));
		await(blocked);
		this.pool.order(order);
		List<Integer> ran = new ArrayList<>();
		CountDownLatch all = new CountDownLatch(3);
		for (int i = 0; i < 3; i++) {
			int number = i;
			this.pool.execute(() -> {
				ran.add(number);
				all.countDown();
			});
		}
		this.release.countDown();
		await(all);
		assertThat(ran).containsExactly(2, 1, 0);
		assertThat(order.lasts).as("what the worker ran before").hasSizeGreaterThanOrEqualTo(3);
	}

	@Test
	void heldTasks_wakeNoWorker_untilPoolCloses() throws InterruptedException {
		this.pool.close();
		this.pool = new WorkerPool("test-worker-", 1);
		NewestFirst order = new NewestFirst(this.pool.arrivals());
		this.pool.order(order);
		order.isHolding = true;
		CountDownLatch ran = new CountDownLatch(2);
		this.pool.execute(ran::countDown);
		Eventually.until("it was taken over", () -> order.size() == 1 && this.pool.idle.size() == 1);
		this.pool.execute(ran::countDown);
		Eventually.until("it was taken over", () -> order.size() == 2 && this.pool.idle.size() == 1);
		assertThat(new WorkerPoolStats(this.pool).waiting()).isEqualTo(2);
		assertThat(ran.getCount()).isEqualTo(2);
		this.pool.close();
		// The closing thread and the worker share what is left.
		await(ran);
	}

	@Test
	void worker_survives_afterErrorsOfTasks() throws InterruptedException {
		this.pool = new WorkerPool("test-worker-", 1);
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		CountDownLatch ran = new CountDownLatch(4);
		for (Error error : new Error[] { new OutOfMemoryError("task"), new StackOverflowError("task"),
				new NoClassDefFoundError("task"), new Unprintable() }) {
			this.pool.execute(() -> {
				threads.add(Thread.currentThread());
				ran.countDown();
				throw error;
			});
		}
		await(ran);
		CountDownLatch after = new CountDownLatch(1);
		this.pool.execute(() -> {
			threads.add(Thread.currentThread());
			after.countDown();
		});
		await(after);
		assertThat(threads).hasSize(1);
		assertThat(this.pool.threads()).isOne();
	}

	/** Not even a log line can be made of it. */
	private static final class Unprintable extends Error {

		private static final long serialVersionUID = 1;

		@Override
		public String toString() {
			throw new OutOfMemoryError("no line either");
		}

		@Override
		public String getMessage() {
			throw new OutOfMemoryError("no line either");
		}

	}

}
