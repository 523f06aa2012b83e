package io.rpcboot.internal.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Selects the next task of a worker in an order other than first in, first out. Takes
 * tasks from {@link WorkerPool#arrivals()} and keeps them until they run. Never throws.
 * Any thread.
 */
public interface TaskSelector {

	/**
	 * Takes the next task.
	 * @param last previous task of the calling worker, null if it was idle
	 * @return null if no task may run now
	 */
	@Nullable Runnable take(@Nullable Runnable last);

	/**
	 * Ends the part of a worker that takes no further task.
	 * @param last its last task
	 */
	default void leave(Runnable last) {
	}

	/**
	 * Takes any task, because the pool is closed and all tasks have to run.
	 * @return null if there is none
	 */
	@Nullable Runnable takeAny();

	/**
	 * Returns true if no task may run now.
	 * @return false if {@link #take} has a task
	 */
	boolean isEmpty();

	/**
	 * Returns the number of tasks, including those that may not run now.
	 * @return 0 or more
	 */
	int size();

}
