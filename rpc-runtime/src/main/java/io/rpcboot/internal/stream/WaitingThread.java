package io.rpcboot.internal.stream;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Thread that waits for a stream and meanwhile runs the tasks that bring it, so that it
 * needs no other thread. One thread at a time waits; any thread adds tasks.
 */
public final class WaitingThread implements Executor {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	/** True while the thread waits and no task is on its way to it. */
	private boolean isFree;

	/** Thread that runs a task meanwhile, null while none does. */
	private @Nullable Thread running;

	/** Subscriber whose thread waits. */
	public interface Waits {

		/** Returns the thread that waits for this subscriber. */
		WaitingThread thread();

	}

	/** Runs a task the next time that the thread waits, if it ever does. */
	@Override
	public void execute(Runnable task) {
		this.lock.lock();
		try {
			this.tasks.add(task);
			this.isFree = false;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Runs a task on the thread if it waits now, or is the caller in a task of its own.
	 * @return false if it does not
	 */
	public boolean offer(Runnable task) {
		this.lock.lock();
		try {
			if (!this.isFree && this.running != Thread.currentThread()) {
				return false;
			}
			execute(task);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets the thread look at its condition. */
	public void wake() {
		this.lock.lock();
		try {
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until a condition is true, and runs the tasks that come meanwhile.
	 * @param mostNanos longest wait; 0 for any
	 * @return false if the time is over
	 * @throws InterruptedException if the thread is interrupted; a task that it was given
	 * has run then
	 */
	public boolean awaitUntil(BooleanSupplier condition, long mostNanos) throws InterruptedException {
		long left = (mostNanos > 0) ? mostNanos : Long.MAX_VALUE;
		while (true) {
			Runnable next;
			this.lock.lock();
			try {
				while (this.tasks.isEmpty() && !condition.getAsBoolean()) {
					if (left <= 0) {
						return false;
					}
					this.isFree = true;
					left = await(left);
				}
				this.isFree = false;
				next = this.tasks.poll();
			}
			finally {
				this.lock.unlock();
			}
			if (next == null) {
				return true;
			}
			this.running = Thread.currentThread();
			try {
				next.run();
			}
			finally {
				this.running = null;
			}
		}
	}

	/** Waits for a change. Returns the time that is left. */
	private long await(long nanos) throws InterruptedException {
		try {
			return (nanos == Long.MAX_VALUE) ? awaitChange() : this.changed.awaitNanos(nanos);
		}
		catch (InterruptedException ex) {
			this.isFree = false;
			runGiven();
			throw ex;
		}
	}

	private long awaitChange() throws InterruptedException {
		this.changed.await();
		return Long.MAX_VALUE;
	}

	private void runGiven() {
		for (Runnable each = this.tasks.poll(); each != null; each = this.tasks.poll()) {
			each.run();
		}
	}

}
