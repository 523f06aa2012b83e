package io.rpcboot.internal.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the next task of a worker while first in, first out does not do: it takes the
 * tasks of {@link WorkerPool#arrivals()} over as far as it wants to choose among them.
 * Any thread; never throws.
 */
public interface TaskSelector {

	/**
	 * Take the next task.
	 * @param last what the calling worker has run before, null if it was idle
	 * @return null if no task may run now
	 */
	@Nullable Runnable take(@Nullable Runnable last);

	/**
	 * Take any task that was taken over: the pool is closed, and all have to run.
	 * @return null if there is none
	 */
	@Nullable Runnable takeAny();

	/**
	 * Whether none of the tasks that were taken over may run now.
	 * @return false if {@link #take} has one
	 */
	boolean isEmpty();

	/**
	 * Tasks that were taken over and not taken by a worker, whether they may run or not.
	 * @return the number
	 */
	int size();

}
