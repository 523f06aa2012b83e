package io.rpcboot.internal.concurrent;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.internal.context.TaskThread;
import org.jspecify.annotations.Nullable;

/**
 * Base of a worker pool: starts its threads up to a bound, and runs the remaining tasks
 * after the threads have ended. Any thread.
 */
abstract class WorkerPoolBase implements Executor, AutoCloseable {

	/** Pause of a worker after a failure outside of a task. */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	final SurvivedErrorLog log = new SurvivedErrorLog();

	private final String name;

	final int maxThreads;

	final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/** Chooses in place of the queue; null for first in, first out. */
	volatile @Nullable TaskSelector order;

	/** Number of live threads. */
	final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger started = new AtomicInteger();

	/** Started threads; some may have ended. */
	final Set<Thread> all = ConcurrentHashMap.newKeySet();

	/** True after the close, when no thread starts any more. */
	volatile boolean closed;

	WorkerPoolBase(String name, int maxThreads) {
		this.name = name;
		this.maxThreads = maxThreads;
		try {
			SurvivedErrorLog.rehearse();
			ClassPreloader.ofDeque();
		}
		catch (Throwable ex) {
			this.log.survived("Rehearsal", ex);
		}
	}

	abstract Thread newThread(String name);

	abstract void run(Runnable task);

	/** Wakes a worker if there are tasks. Never throws. */
	abstract void wakeNext();

	/**
	 * Adds a task without waking a worker: {@link #wake()} must follow.
	 * @param task must not throw
	 */
	public abstract void publish(Runnable task);

	/** Wakes a worker if there are tasks and no worker is waking up. */
	public abstract void wake();

	/**
	 * Runs a single task.
	 * @param task its exceptions are logged
	 */
	@Override
	public final void execute(Runnable task) {
		publish(task);
		wake();
	}

	/** Returns the choice of a selector, null if it has none or fails. Never throws. */
	final @Nullable Runnable choose(TaskSelector chooser, @Nullable Runnable last) {
		try {
			return chooser.take(last);
		}
		catch (Throwable ex) {
			this.log.survived("Choosing a task", ex);
			return null;
		}
	}

	/** Returns false if there are enough threads, or the system allows no more. */
	final boolean startThread() {
		int count;
		do {
			count = this.threads.get();
			if (count >= this.maxThreads || this.closed) {
				return false;
			}
		}
		while (!this.threads.compareAndSet(count, count + 1));
		boolean starts = false;
		try {
			Thread thread = newThread(this.name + this.started.incrementAndGet());
			thread.start();
			starts = true;
			this.all.removeIf((each) -> !each.isAlive());
			this.all.add(thread);
		}
		catch (Throwable ex) {
			this.log.survived("The system gives no more threads", ex);
		}
		if (!starts) {
			this.threads.decrementAndGet();
		}
		return starts;
	}

	/**
	 * Returns the tasks that were published and taken neither by a worker nor by the
	 * selector.
	 * @return the queue, polled by a selector
	 */
	public final Queue<Runnable> arrivals() {
		return this.tasks;
	}

	/**
	 * Sets the selector. A worker that takes a task at the same time may not use it yet.
	 * @param chooser null for first in, first out; the earlier selector must then be
	 * empty, or be set again
	 */
	public final void order(@Nullable TaskSelector chooser) {
		this.order = chooser;
	}

	/**
	 * Returns the number of live threads.
	 * @return 0 or more
	 */
	public final int threads() {
		return this.threads.get();
	}

	/**
	 * Returns true if a thread belongs to this pool.
	 * @param thread any thread
	 * @return true if it runs tasks of this pool
	 */
	public final boolean isMember(Thread thread) {
		return thread instanceof PoolThread member && member.pool == this;
	}

	/**
	 * Ends the threads. Queued tasks and later ones run on the thread that closes or
	 * publishes, so that no task is lost.
	 */
	@Override
	public abstract void close();

	final void runRemaining() {
		for (Runnable task = takeAny(); task != null; task = takeAny()) {
			runInPlace(task);
		}
	}

	/** Runs a task; on a worker it is its current task meanwhile. */
	private void runInPlace(Runnable next) {
		if (!(Thread.currentThread() instanceof PoolThread own)) {
			run(next);
			return;
		}
		Runnable before = own.task;
		own.task = next;
		try {
			run(next);
		}
		finally {
			own.task = before;
		}
	}

	private @Nullable Runnable takeAny() {
		Runnable task = this.tasks.poll();
		TaskSelector chooser = this.order;
		return (task != null || chooser == null) ? task : chooser.takeAny();
	}

	/** Logs a failure of a worker, and pauses before the worker goes on. */
	final void pause(String where, Throwable cause) {
		this.log.survived(where, cause);
		LockSupport.parkNanos(PAUSE_NANOS);
	}

	/** A worker: its current task, and the loop that goes on after failures. */
	abstract static class PoolThread extends Thread implements TaskThread {

		final WorkerPoolBase pool;

		/** Current task; null while it looks for one. */
		@Nullable Runnable task;

		PoolThread(String name, WorkerPoolBase pool) {
			super(name);
			this.pool = pool;
			setDaemon(true);
		}

		@Override
		public final @Nullable Runnable task() {
			return this.task;
		}

		/**
		 * Runs tasks until this thread is to end. Entered again after a failure, because
		 * the next waker relies on this worker.
		 */
		abstract void work();

		@Override
		public final void run() {
			boolean goesOn = true;
			while (goesOn) {
				try {
					work();
					goesOn = false;
				}
				catch (Throwable ex) {
					this.pool.pause("A worker", ex);
				}
			}
			this.pool.threads.decrementAndGet();
			this.pool.wakeNext();
		}

	}

}
