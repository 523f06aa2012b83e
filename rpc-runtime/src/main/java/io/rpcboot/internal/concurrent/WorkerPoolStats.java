package io.rpcboot.internal.concurrent;

import java.util.HashMap;
import java.util.Map;

/** What a worker pool does, for those who look at it from outside. Any thread. */
public final class WorkerPoolStats {

	private final WorkerPool pool;

	/**
	 * Create a view.
	 * @param pool looked at
	 */
	public WorkerPoolStats(WorkerPool pool) {
		this.pool = pool;
	}

	/**
	 * The most threads that it may have.
	 * @return 1 or more
	 */
	public int maxThreads() {
		return this.pool.maxThreads;
	}

	/**
	 * Threads that run a task now.
	 * @return the number
	 */
	public int busy() {
		return Math.max(0, this.pool.threads() - this.pool.idle.size());
	}

	/**
	 * Tasks that wait for a thread. Counts them one by one.
	 * @return the number
	 */
	public int waiting() {
		TaskSelector order = this.pool.order;
		return this.pool.tasks.size() + ((order != null) ? order.size() : 0);
	}

	/**
	 * Whether tasks wait for a thread.
	 * @return false if none does
	 */
	public boolean hasWaiting() {
		TaskSelector order = this.pool.order;
		return !this.pool.tasks.isEmpty() || (order != null && order.size() > 0);
	}

	/**
	 * Whether tasks wait and all threads are in use.
	 * @return true until one is free
	 */
	public boolean isUsedUp() {
		return hasWaiting() && this.pool.idle.isEmpty() && this.pool.threads() >= this.pool.maxThreads;
	}

	/**
	 * Whether tasks wait that may not run, whether a thread is free or not.
	 * @return true until others have ended
	 */
	public boolean isHeldBack() {
		TaskSelector order = this.pool.order;
		return order != null && order.size() > 0 && order.isEmpty();
	}

	/**
	 * Threads that run a task of some kind, as far as it can be seen from outside.
	 * @param kind class of the tasks
	 * @return the number; one that has just ended its task may be counted
	 */
	public int running(Class<? extends Runnable> kind) {
		int count = 0;
		for (Thread thread : this.pool.all) {
			count += (thread instanceof WorkerPoolBase.PoolThread worker && kind.isInstance(worker.task)) ? 1 : 0;
		}
		return count;
	}

	/**
	 * What each thread runs, as far as it can be seen from outside.
	 * @return a snapshot
	 */
	public Map<Thread, Runnable> running() {
		Map<Thread, Runnable> result = new HashMap<>();
		for (Thread thread : this.pool.all) {
			Runnable task = (thread instanceof WorkerPoolBase.PoolThread worker) ? worker.task : null;
			if (task != null) {
				result.put(thread, task);
			}
		}
		return result;
	}

}
