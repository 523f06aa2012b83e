package io.rpcboot.internal.concurrent;

import java.util.HashMap;
import java.util.Map;

/** Statistics of a worker pool, seen from outside. Any thread. */
public final class WorkerPoolStats {

	private final WorkerPool pool;

	/**
	 * Creates statistics.
	 * @param pool the pool
	 */
	public WorkerPoolStats(WorkerPool pool) {
		this.pool = pool;
	}

	/**
	 * Returns the largest number of threads.
	 * @return 1 or more
	 */
	public int maxThreads() {
		return this.pool.maxThreads;
	}

	/**
	 * Returns the number of threads that run a task.
	 * @return 0 or more
	 */
	public int busy() {
		return Math.max(0, this.pool.threads() - this.pool.idle.size());
	}

	/**
	 * Returns the number of tasks that wait for a thread. Counts them one by one.
	 * @return 0 or more
	 */
	public int waiting() {
		TaskSelector order = this.pool.order;
		return this.pool.tasks.size() + ((order != null) ? order.size() : 0);
	}

	/**
	 * Returns true if tasks wait for a thread.
	 * @return false if none does
	 */
	public boolean hasWaiting() {
		TaskSelector order = this.pool.order;
		return !this.pool.tasks.isEmpty() || (order != null && order.size() > 0);
	}

	/**
	 * Returns true if tasks wait and all threads are in use.
	 * @return false if a thread is free
	 */
	public boolean isUsedUp() {
		return hasWaiting() && this.pool.idle.isEmpty() && this.pool.threads() >= this.pool.maxThreads;
	}

	/**
	 * Returns true if tasks wait that may not run now, even if a thread is free.
	 * @return false if a waiting task may run
	 */
	public boolean isHeldBack() {
		TaskSelector order = this.pool.order;
		return order != null && order.size() > 0 && order.isEmpty();
	}

	/**
	 * Returns the number of threads that run a task of a class.
	 * @param kind class of the tasks
	 * @return the number; a thread that has just ended its task may be counted
	 */
	public int running(Class<? extends Runnable> kind) {
		int count = 0;
		for (WorkerPool.Worker worker : this.pool.all) {
			count += kind.isInstance(worker.task) ? 1 : 0;
		}
		return count;
	}

	/**
	 * Returns the current task of each thread.
	 * @return a snapshot
	 */
	public Map<Thread, Runnable> running() {
		Map<Thread, Runnable> result = new HashMap<>();
		for (WorkerPool.Worker worker : this.pool.all) {
			Runnable task = worker.task;
			if (task != null) {
				result.put(worker, task);
			}
		}
		return result;
	}

}
