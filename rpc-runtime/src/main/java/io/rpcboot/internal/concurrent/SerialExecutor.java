package io.rpcboot.internal.concurrent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs tasks one after the other on the threads of another executor. Thread-safe. */
public final class SerialExecutor implements Executor {

	/** Number of tasks after which other tasks of the thread have their turn. */
	private static final int BATCH = 64;

	private final Executor threads;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/** True while a thread runs the tasks or will. */
	private final AtomicBoolean busy = new AtomicBoolean();

	private final Runnable some = this::runSome;

	/**
	 * Creates an executor.
	 * @param threads runs the tasks
	 */
	public SerialExecutor(Executor threads) {
		this.threads = threads;
	}

	/**
	 * Runs a task after the earlier tasks.
	 * @param task its exceptions are passed to the other executor
	 */
	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		begin();
	}

	private void begin() {
		if (!this.tasks.isEmpty() && this.busy.compareAndSet(false, true)) {
			try {
				this.threads.execute(this.some);
			}
			catch (Throwable ex) {
				this.busy.set(false); // the next task tries again
				throw ex;
			}
		}
	}

	private void runSome() {
		try {
			Runnable task = this.tasks.poll();
			for (int i = 1; task != null; i++) {
				task.run();
				Thread.interrupted(); // the next task starts uninterrupted
				task = (i < BATCH) ? this.tasks.poll() : null;
			}
		}
		finally {
			this.busy.set(false);
			begin();
		}
	}

}
