package io.rpcboot.internal.concurrent;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.internal.context.TaskThread;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads that run user code: many at most, few in use while tasks are short.
 * Previous stop of a call: server connection; next stop: server call. Any thread.
 * <p>
 * A batch of tasks is published to one queue and wakes one worker. A worker that takes a
 * task while more tasks wait wakes the next one, unless a worker is waking up already. So
 * a blocked task delays no other task while a worker is free, and a batch of short tasks
 * needs few wake-ups. The queue is first in, first out, unless a {@link TaskSelector} is
 * set. It is unbounded: the publishers bound the pending tasks. No failure of a task ends
 * a worker.
 */
public final class WorkerPool implements Executor, AutoCloseable {

	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final SurvivedErrorLog log = new SurvivedErrorLog();

	private final String name;

	volatile int maxThreads;

	final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/** Chooses in place of the queue; null for first in, first out. */
	volatile @Nullable TaskSelector order;

	/** Number of live threads. */
	private final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger started = new AtomicInteger();

	/** Started workers; some may have ended. */
	final Set<Worker> all = ConcurrentHashMap.newKeySet();

	final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

	/** True while a worker is waking up. */
	private final AtomicBoolean waking = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * Creates a pool. Its threads start when needed and end after a minute without work.
	 * @param name begins the names of the threads
	 * @param maxThreads largest number of threads, 1 or more
	 */
	public WorkerPool(String name, int maxThreads) {
		this.name = name;
		this.maxThreads = maxThreads;
	}

	/**
	 * Changes the largest number of threads. Surplus threads end after their task, or
	 * when they have no work for a minute.
	 * @param threads 1 or more
	 */
	public void maxThreads(int threads) {
		this.maxThreads = threads;
		wake();
	}

	/**
	 * Runs a single task.
	 * @param task its exceptions are logged
	 */
	@Override
	public void execute(Runnable task) {
		publish(task);
		wake();
	}

	/**
	 * Adds a task without waking a worker: {@link #wake()} must follow.
	 * @param task must not throw
	 */
	public void publish(Runnable task) {
		this.tasks.add(task);
	}

	/** Wakes a worker if there are tasks and no worker is waking up. */
	public void wake() {
		if (this.closed) {
			runRemaining();
			return;
		}
		while (hasTasks() && this.waking.compareAndSet(false, true)) {
			Worker worker = this.idle.pollFirst();
			if (worker != null) {
				worker.unpark();
				return;
			}
			if (startThread()) {
				return;
			}
			this.waking.set(false);
			// A worker that went idle meanwhile was not woken by callers that found the
			// flag set. A worker that goes idle later checks the queue after it is
			// listed.
			if (this.idle.isEmpty()) {
				return;
			}
		}
	}

	private boolean hasTasks() {
		TaskSelector selector = this.order;
		return !this.tasks.isEmpty() || (selector != null && !selector.isEmpty());
	}

	/** Returns false if there are enough threads, or the system allows no more. */
	private boolean startThread() {
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
			Worker worker = new Worker(this.name + this.started.incrementAndGet());
			worker.start();
			starts = true;
			this.all.removeIf((each) -> !each.isAlive());
			this.all.add(worker);
		}
		catch (Throwable ex) {
			this.log.survived("Starting a worker thread", ex);
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
	public Queue<Runnable> arrivals() {
		return this.tasks;
	}

	/**
	 * Sets the selector. A worker that takes a task at the same time may not use it yet.
	 * @param selector null for first in, first out; the earlier selector must then be
	 * empty, or be set again
	 */
	public void order(@Nullable TaskSelector selector) {
		this.order = selector;
	}

	/**
	 * Returns the number of live threads.
	 * @return 0 or more
	 */
	public int threads() {
		return this.threads.get();
	}

	/**
	 * Returns true if a thread belongs to this pool.
	 * @param thread any thread
	 * @return true if it runs tasks of this pool
	 */
	public boolean isMember(Thread thread) {
		return thread instanceof Worker worker && worker.pool() == this;
	}

	/**
	 * Ends the threads. Queued tasks and later ones run on the thread that closes or
	 * publishes, so that no task is lost.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.idle.forEach(LockSupport::unpark);
		runRemaining();
	}

	private void runRemaining() {
		for (Runnable task = takeAny(); task != null; task = takeAny()) {
			runInPlace(task);
		}
	}

	private @Nullable Runnable takeAny() {
		Runnable task = this.tasks.poll();
		TaskSelector selector = this.order;
		return (task != null || selector == null) ? task : selector.takeAny();
	}

	/** Runs a task; on a worker it is its current task meanwhile. */
	private void runInPlace(Runnable next) {
		if (!(Thread.currentThread() instanceof Worker own)) {
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

	void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			this.log.survived("A task failed", ex);
		}
	}

	/** A thread of the pool. */
	final class Worker extends Thread implements TaskThread {

		/** Current task; null while it looks for one. */
		@Nullable Runnable task;

		private @Nullable Object carried;

		private volatile boolean parked;

		/** True if it was listed as idle and has not noticed its removal. */
		private boolean listed;

		/** True once it ends because there are too many threads. */
		private boolean countedOut;

		/** True if it was woken and has not checked the queue yet. */
		private boolean wakingUp = true;

		Worker(String name) {
			super(name);
			setDaemon(true);
		}

		@Override
		public @Nullable Runnable task() {
			return this.task;
		}

		@Override
		public @Nullable Object carried() {
			return this.carried;
		}

		@Override
		public void carry(@Nullable Object object) {
			this.carried = object;
		}

		private WorkerPool pool() {
			return WorkerPool.this;
		}

		private void unpark() {
			this.parked = false;
			LockSupport.unpark(this);
		}

		@Override
		public void run() {
			try {
				work();
			}
			finally {
				if (this.wakingUp || (this.listed && !WorkerPool.this.idle.remove(this))) {
					WorkerPool.this.waking.set(false);
				}
				if (!this.countedOut) {
					WorkerPool.this.threads.decrementAndGet();
				}
				wake();
			}
		}

		/** Runs tasks until this thread is to end. */
		private void work() {
			while (!WorkerPool.this.closed
					&& (WorkerPool.this.threads.get() <= WorkerPool.this.maxThreads || !leavesSurplus())) {
				if (this.wakingUp) {
					this.wakingUp = false;
					WorkerPool.this.waking.set(false);
				}
				TaskSelector selector = WorkerPool.this.order;
				Runnable next = (selector == null) ? WorkerPool.this.tasks.poll() : selector.take(forgetTask());
				this.task = next;
				if (next != null) {
					wakeNextAndRun(next);
				}
				else if (!awaitWork()) {
					return;
				}
			}
			Runnable last = this.task;
			TaskSelector selector = WorkerPool.this.order;
			this.task = null;
			if (last != null && selector != null) {
				selector.leave(last);
			}
		}

		/**
		 * Counts this thread out if there are too many. Returns false if there are not.
		 */
		private boolean leavesSurplus() {
			int count;
			do {
				count = WorkerPool.this.threads.get();
				if (count <= WorkerPool.this.maxThreads) {
					return false;
				}
			}
			while (!WorkerPool.this.threads.compareAndSet(count, count - 1));
			this.countedOut = true;
			return true;
		}

		/** Returns the last task, which does not run any more. */
		private @Nullable Runnable forgetTask() {
			Runnable last = this.task;
			this.task = null;
			return last;
		}

		private void wakeNextAndRun(Runnable next) {
			try {
				wake();
			}
			finally {
				Thread.interrupted(); // a late interrupt of an earlier task
				WorkerPool.this.run(next);
			}
		}

		/** Returns false when this thread is to end. */
		private boolean awaitWork() {
			this.parked = true;
			WorkerPool.this.idle.addFirst(this);
			this.listed = true;
			long deadline = System.nanoTime() + IDLE_NANOS;
			while (this.parked && !WorkerPool.this.closed) {
				if (hasTasks() && leaveIdle()) {
					return true;
				}
				long remaining = deadline - System.nanoTime();
				if (remaining <= 0 && leaveIdle()) {
					return false;
				}
				LockSupport.parkNanos(this, Math.max(remaining, 1));
				Thread.interrupted();
			}
			this.listed = false;
			this.wakingUp = !this.parked;
			return true;
		}

		/** Returns false if another thread has woken this worker meanwhile. */
		private boolean leaveIdle() {
			if (WorkerPool.this.idle.remove(this)) {
				this.parked = false;
				this.listed = false;
				return true;
			}
			return false;
		}

	}

}
