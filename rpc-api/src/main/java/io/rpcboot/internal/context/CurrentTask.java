package io.rpcboot.internal.context;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * What the calling thread works for. A thread of the engine knows its task; any other
 * thread may carry something that was put there for a while.
 */
public final class CurrentTask {

	private static final ThreadLocal<@Nullable Object> CARRIED = new ThreadLocal<>();

	/** Set once in each thread that is no {@link TaskThread} and runs one task. */
	private static final ThreadLocal<@Nullable Runnable> RUNNING = new ThreadLocal<>();

	/**
	 * Whether a thread may know something although it is no {@link TaskThread}; never
	 * false again. Not volatile: a thread that carries something has set it before.
	 */
	public static boolean isCarried;

	private CurrentTask() {
	}

	/** From now on threads that are no {@link TaskThread} are asked, too. */
	private static void mayBeCarried() {
		if (!isCarried) { // many threads read it
			isCarried = true;
		}
	}

	/**
	 * The task that the calling thread runs as a thread of the engine.
	 * @return null if none
	 */
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

	/**
	 * What the calling thread carries.
	 * @return null if nothing
	 */
	public static @Nullable Object carried() {
		return isCarried ? CARRIED.get() : null;
	}

	/**
	 * Let the calling thread carry something until {@link #restore}.
	 * @param what null for nothing
	 * @return what it has carried before
	 */
	public static @Nullable Object carry(@Nullable Object what) {
		mayBeCarried();
		Object before = CARRIED.get();
		CARRIED.set(what);
		return before;
	}

	/**
	 * The end of {@link #carry}.
	 * @param before what that has returned
	 */
	public static void restore(@Nullable Object before) {
		if (before == null) {
			CARRIED.remove();
		}
		else {
			CARRIED.set(before);
		}
	}

	/** Runs a task while the calling thread carries an object. */
	public static void carrying(Object carried, Runnable task) {
		Object before = carry(carried);
		try {
			task.run();
		}
		finally {
			restore(before);
		}
	}

	/**
	 * Run something while the calling thread carries something else.
	 * @param what null for nothing
	 * @param task what to run
	 * @param <T> the type of its result
	 * @return its result
	 * @throws Exception what it throws
	 */
	public static <T> T carrying(@Nullable Object what, Callable<T> task) throws Exception {
		Object before = carry(what);
		try {
			return task.call();
		}
		finally {
			restore(before);
		}
	}

}
