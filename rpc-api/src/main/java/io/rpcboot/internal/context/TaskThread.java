package io.rpcboot.internal.context;

import org.jspecify.annotations.Nullable;

/** A thread of the engine that knows the task that it runs. */
public interface TaskThread {

	/** Returns the task, null while there is none. Only for the thread itself. */
	@Nullable Runnable task();

}
