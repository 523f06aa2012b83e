package io.rpcboot.internal.concurrent;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.rpcboot.internal.context.CurrentTask;

/** Virtual threads by reflection, because the code is compiled for Java 17. */
public final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * Returns an executor that starts a virtual thread for each task.
	 * @param name begins the names of the threads
	 * @param fallback runs the tasks if Java has no virtual threads; logs all failures
	 * @return the executor
	 */
	public static Executor executor(String name, WorkerPool fallback) {
		ThreadFactory factory;
		try {
			Class<?> builderType = Class.forName("java.lang.Thread$Builder");
			Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
			builder = builderType.getMethod("name", String.class, long.class).invoke(builder, name, 1L);
			factory = (ThreadFactory) builderType.getMethod("factory").invoke(builder);
		}
		catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			return fallback;
		}
		return (task) -> factory.newThread(() -> {
			CurrentTask.begin(task);
			fallback.run(task);
		}).start();
	}

}
