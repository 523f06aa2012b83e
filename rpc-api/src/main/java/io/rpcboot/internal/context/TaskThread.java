package io.rpcboot.internal.context;

import org.jspecify.annotations.Nullable;

/**
 * A thread of the engine that knows the task that it runs and the object that it carries.
 */
public interface TaskThread {

	/** Returns the task, null while there is none. Only for the thread itself. */
	@Nullable Runnable task();

	/** Returns the carried object, null if there is none. Only for the thread itself. */
	@Nullable Object carried();

	/** Sets the carried object, null for none. Only for the thread itself. */
	void carry(@Nullable Object carried);

}
