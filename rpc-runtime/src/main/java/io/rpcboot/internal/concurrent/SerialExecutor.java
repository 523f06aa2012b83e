package io.rpcboot.internal.concurrent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks on the threads of another executor, one after the other. Thread-safe. */
public final class SerialExecutor implements Executor {

	private final Executor threads;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * Create an executor.
	 * @param threads runs the tasks
	 */
	public SerialExecutor(Executor threads) {
		this.threads = threads;
	}

	/**
	 * Run a task after those before it.
	 * @param task what it throws is logged by the thread that runs it
	 */
	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		if (this.waiting.getAndIncrement() == 0) {
			this.threads.execute(this::runNext);
		}
	}

	private void runNext() {
		try {
			Runnable task = this.tasks.poll();
			if (task != null) {
				task.run();
			}
		}
		finally {
			if (this.waiting.decrementAndGet() > 0) {
				this.threads.execute(this::runNext);
			}
		}
	}

}
