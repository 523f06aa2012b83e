package io.rpcboot.internal.context;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * Task and baggage of the calling thread. A thread of the engine runs a task; any thread
 * may carry an object for some time.
 */
public final class CurrentTask {

	private static final ThreadLocal<@Nullable Object> CARRIED = new ThreadLocal<>();

	/** Tasks of threads that are no {@link TaskThread}; set once in each thread. */
	private static final ThreadLocal<@Nullable Runnable> RUNNING = new ThreadLocal<>();

	/**
	 * True once a thread that is no {@link TaskThread} may have a task or carry an
	 * object. Not volatile: a thread that has one of the two has set the flag itself.
	 */
	public static boolean isCarried;

	private CurrentTask() {
	}

	private static void mayBeCarried() {
		if (!isCarried) { // many threads read it
			isCarried = true;
		}
	}

	/** Returns the task that the calling thread runs for the engine, null if none. */
	public static @Nullable Runnable running() {
		return (Thread.currentThread() instanceof TaskThread thread) ? thread.task() : RUNNING.get();
	}

	/**
	 * Sets the task of the calling thread until the thread ends. For threads that run one
	 * task and cannot be a {@link TaskThread}, such as virtual threads.
	 */
	public static void begin(Runnable task) {
		mayBeCarried();
		RUNNING.set(task);
	}

	/** Returns the object that the calling thread carries, null if none. */
	public static @Nullable Object carried() {
		if (Thread.currentThread() instanceof TaskThread thread) {
			return thread.carried();
		}
		return isCarried ? CARRIED.get() : null;
	}

	/**
	 * Returns what a follow-up of the calling code carries: the carried object, or else
	 * the context of the call that the calling thread runs.
	 * @return null if the thread has neither
	 */
	public static @Nullable Object current() {
		Object carried = carried();
		return (carried == null && running() instanceof ServedCall call) ? call.context() : carried;
	}

	/**
	 * Lets the calling thread carry an object until {@link #restore}.
	 * @param carried null for none
	 * @return the object that the thread has carried before
	 */
	public static @Nullable Object carry(@Nullable Object carried) {
		if (Thread.currentThread() instanceof TaskThread thread) {
			Object before = thread.carried();
			thread.carry(carried);
			return before;
		}
		mayBeCarried();
		Object before = CARRIED.get();
		CARRIED.set(carried);
		return before;
	}

	/**
	 * Ends {@link #carry}.
	 * @param before the object that it has returned
	 */
	public static void restore(@Nullable Object before) {
		if (Thread.currentThread() instanceof TaskThread thread) {
			thread.carry(before);
		}
		else if (before == null) {
			CARRIED.remove();
		}
		else {
			CARRIED.set(before);
		}
	}

	/** Runs a task while the calling thread carries an object. */
	public static void carrying(@Nullable Object carried, Runnable task) {
		Object before = carry(carried);
		try {
			task.run();
		}
		finally {
			restore(before);
		}
	}

	/** Calls a task while the calling thread carries an object. */
	public static <T> T carrying(Object carried, Callable<T> task) throws Exception {
		Object before = carry(carried);
		try {
			return task.call();
		}
		finally {
			restore(before);
		}
	}

}
