package io.rpcboot.internal.concurrent;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

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
public final class WorkerPool extends WorkerPoolBase {

	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

	final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

	/** True while a worker is waking up. */
	private final AtomicBoolean waking = new AtomicBoolean();

	/**
	 * Creates a pool. Its threads start when needed and end after a minute without work.
	 * @param name begins the names of the threads
	 * @param maxThreads largest number of threads, 1 or more
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
			// A worker that went idle meanwhile was not woken by callers that found the
			// flag set. A worker that goes idle later checks the queue after it is
			// listed.
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

	/** Wakes the next worker. Never throws, because the caller has a task to run. */
	@Override
	void wakeNext() {
		try {
			wake();
		}
		catch (Throwable ex) {
			this.log.survived("Waking a worker", ex);
		}
	}

	/** A thread of the pool. */
	final class Worker extends PoolThread {

		private volatile boolean parked;

		/** True if it was listed as idle and has not noticed its removal. */
		private boolean listed;

		/** True if it was woken and has not checked the queue yet. */
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
			if (this.listed && !awaitWork()) { // it failed while it was waiting
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
					Thread.interrupted(); // a late interrupt of an earlier task
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
