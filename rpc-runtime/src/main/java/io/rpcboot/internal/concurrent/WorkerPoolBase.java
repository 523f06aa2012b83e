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
 * Starts the threads of a worker pool, up to its bound, and runs what is left when they
 * have ended. Any thread.
 */
abstract class WorkerPoolBase implements Executor, AutoCloseable {

	/** A worker that could not be listed as idle looks at the queue so often. */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	final SurvivedErrorLog log = new SurvivedErrorLog();

	private final String name;

	final int maxThreads;

	final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/** Chooses in place of the queue; null while that is first in, first out. */
	volatile @Nullable TaskSelector order;

	/** Threads alive. */
	final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger started = new AtomicInteger();

	/** Those that were started; some may have ended. */
	final Set<Thread> all = ConcurrentHashMap.newKeySet();

	/** Whether no more threads start; never false again. */
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

	/** Wake one, and throw nothing. */
	abstract void wakeNext();

	/**
	 * Add a task without waking anyone: {@link #wake()} must follow. Any thread.
	 * @param task what to run; must not throw
	 */
	public abstract void publish(Runnable task);

	/** Wake a worker if there are tasks and none is on its way. Any thread. */
	public abstract void wake();

	/**
	 * Run a single task. Any thread.
	 * @param task what to run; what it throws is logged
	 */
	@Override
	public final void execute(Runnable task) {
		publish(task);
		wake();
	}

	/** The order may run out of memory: no worker ends with that. */
	final @Nullable Runnable choose(TaskSelector chooser, @Nullable Runnable last) {
		try {
			return chooser.take(last);
		}
		catch (Throwable ex) {
			this.log.survived("Choosing a task", ex);
			return null;
		}
	}

	/** Returns false if there are enough, or the system gives no more. */
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
	 * Tasks that were published and that neither a worker nor the order has taken.
	 * @return the queue, to be polled by an order
	 */
	public final Queue<Runnable> arrivals() {
		return this.tasks;
	}

	/**
	 * Let an order choose from now on. A worker that took a task meanwhile has not asked
	 * it.
	 * @param chooser null for first in, first out; then it must be empty, or be set again
	 */
	public final void order(@Nullable TaskSelector chooser) {
		this.order = chooser;
	}

	/**
	 * The threads alive now.
	 * @return the number
	 */
	public final int threads() {
		return this.threads.get();
	}

	/**
	 * Whether a thread is one of this pool.
	 * @param thread any thread
	 * @return true if it runs tasks of this pool
	 */
	public final boolean isMember(Thread thread) {
		return thread instanceof PoolThread member && member.pool == this;
	}

	/**
	 * End the threads. What is still queued, and what is published later, is run by the
	 * thread that closes or publishes, so that nothing is lost.
	 */
	@Override
	public abstract void close();

	final void runRemaining() {
		for (Runnable task = takeAny(); task != null; task = takeAny()) {
			runInPlace(task);
		}
	}

	/** On a thread of this pool it is the task at hand, and not the one before. */
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

	/** Say what a worker has survived; it tries again in a moment, unasked. */
	final void pause(String where, Throwable cause) {
		this.log.survived(where, cause);
		LockSupport.parkNanos(PAUSE_NANOS);
	}

	/** A worker: what is seen of it from outside, and what ends it. */
	abstract static class PoolThread extends Thread implements TaskThread {

		final WorkerPoolBase pool;

		/** What it runs; null while it looks for a task. */
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
		 * Run tasks until this thread is to end. Entered again after whatever it throws:
		 * the next who wakes this worker counts on it.
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
