package io.rpcboot.internal.concurrent;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.rpcboot.internal.context.CurrentTask;

/** Virtual threads where Java has them; the code is compiled for one that has not. */
public final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * An executor that starts a virtual thread for each task.
	 * @param name begins the names of the threads
	 * @param fallback runs the tasks where Java has no virtual threads; logs their
	 * failures
	 * @return the executor; its tasks' failures are logged
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
