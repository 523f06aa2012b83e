package io.rpcboot.internal.context;

import org.jspecify.annotations.Nullable;

/** A thread of the engine that says what it runs. */
public interface TaskThread {

	/**
	 * The task at hand.
	 * @return null while there is none; only for the thread itself
	 */
	@Nullable Runnable task();

}
