package io.rpcboot.internal.concurrent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Publishers against workers that fall idle, and against the end of the pool: every task
 * runs once, and no thread stays.
 */
public class WorkerPoolStress {

	/** What all races share. */
	abstract static class Race {

		private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

		final WorkerPool pool;

		private final AtomicInteger[] runs = { new AtomicInteger(), new AtomicInteger(), new AtomicInteger(),
				new AtomicInteger() };

		Race(int threads) {
			this.pool = new WorkerPool("stress-", threads);
		}

		final void publish(int task) {
			this.pool.publish(this.runs[task]::incrementAndGet);
			this.pool.wake();
		}

		final void judge(L_Result result) {
			boolean all = await(() -> sum() >= this.runs.length);
			this.pool.close();
			boolean ended = await(() -> this.pool.threads() == 0);
			for (int i = 0; i < this.runs.length; i++) {
				if (this.runs[i].get() != 1) {
					result.r1 = "task " + i + " ran " + this.runs[i] + " times";
					return;
				}
			}
			result.r1 = !all ? "tasks waited for the end" : ended ? "right" : "a thread stays";
		}

		private int sum() {
			int sum = 0;
			for (AtomicInteger each : this.runs) {
				sum += each.get();
			}
			return sum;
		}

		private static boolean await(BooleanSupplier condition) {
			long end = System.nanoTime() + LONGEST_NANOS;
			while (!condition.getAsBoolean()) {
				if (System.nanoTime() - end > 0) {
					return false;
				}
				LockSupport.parkNanos(1000);
			}
			return true;
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each task ran once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a task or a wake-up was lost")
	@State
	public static class PublishAgainstPublish extends Race {

		public PublishAgainstPublish() {
			super(1);
		}

		@Actor
		public void first() {
			publish(0);
			publish(1);
		}

		@Actor
		public void second() {
			publish(2);
			publish(3);
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each task ran once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a task was lost or ran twice")
	@State
	public static class PublishAgainstClose extends Race {

		public PublishAgainstClose() {
			super(2);
		}

		@Actor
		public void publisher() {
			publish(0);
			publish(1);
			publish(2);
			publish(3);
		}

		@Actor
		public void close() {
			this.pool.close();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

}
