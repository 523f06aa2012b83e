package io.rpcboot.internal.concurrent;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that run user code: many at most, few in use while tasks are short. Stop
 * before: server connection; stop after: server call.
 * <p>
 * A batch of tasks is published to one queue and wakes one worker. A worker that takes a
 * task while more wait wakes the next, unless one is on its way already; so a blocked
 * task delays no other while a worker is free, and a batch of short tasks costs few
 * wake-ups. The queue is first in, first out, unless a {@link TaskSelector} is set. It
 * has no bound of its own: whoever publishes bounds what is under way.
 */
public final class WorkerPool extends WorkerPoolBase {

	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

	final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

	private final AtomicBoolean waking = new AtomicBoolean();

	/**
	 * Create a pool; its threads start when needed and end after a minute without work.
	 * @param name begins the names of the threads
	 * @param maxThreads most threads, 1 or more
	 */
	public WorkerPool(String name, int maxThreads) {
		super(name, maxThreads);
	}

	@Override
	public void publish(Runnable task) {
		this.tasks.add(task);
	}

	@Override
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
			// A worker that went idle meanwhile was not woken by those who found the flag
			// set; one that goes idle from here on looks at the queue after it is listed.
			if (this.idle.isEmpty()) {
				return;
			}
		}
	}

	private boolean hasTasks() {
		TaskSelector chooser = this.order;
		return !this.tasks.isEmpty() || (chooser != null && !chooser.isEmpty());
	}

	@Override
	Thread newThread(String name) {
		return new Worker(name);
	}

	@Override
	public void close() {
		this.closed = true;
		this.idle.forEach(LockSupport::unpark);
		runRemaining();
	}

	@Override
	void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			this.log.survived("A task failed", ex);
		}
	}

	/** The task at hand is run whatever happens here. */
	@Override
	void wakeNext() {
		try {
			wake();
		}
		catch (Throwable ex) {
			this.log.survived("Waking a worker", ex);
		}
	}

	final class Worker extends PoolThread {

		private volatile boolean parked;

		/** Whether it was listed as idle and has not seen that it no longer is. */
		private boolean listed;

		/** Whether this worker was woken and has not looked at the queue yet. */
		private boolean onItsWay = true;

		Worker(String name) {
			super(name, WorkerPool.this);
		}

		void unpark() {
			this.parked = false;
			LockSupport.unpark(this);
		}

		@Override
		void work() {
			if (this.listed && !awaitWork()) { // something was thrown while it waited
				return;
			}
			while (!WorkerPool.this.closed) {
				if (this.onItsWay) {
					this.onItsWay = false;
					WorkerPool.this.waking.set(false);
				}
				TaskSelector chooser = WorkerPool.this.order;
				Runnable next = (chooser == null) ? WorkerPool.this.tasks.poll() : choose(chooser, this.task);
				this.task = next;
				if (next != null) {
					wakeNext();
					Thread.interrupted(); // who was late to interrupt another task
					WorkerPool.this.run(next);
				}
				else if (!awaitWork()) {
					return;
				}
			}
		}

		/** Returns false when this thread is to end. */
		private boolean awaitWork() {
			if (!this.listed) {
				this.parked = true;
				WorkerPool.this.idle.addFirst(this);
				this.listed = true;
			}
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
			this.onItsWay = !this.parked;
			return true;
		}

		/** Returns false if someone has woken this worker in the meantime. */
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
