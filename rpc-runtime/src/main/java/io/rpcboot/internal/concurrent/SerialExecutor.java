package io.rpcboot.internal.concurrent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs tasks on the threads of another executor, one after the other. Thread-safe. */
public final class SerialExecutor implements Executor {

	/** Tasks after which others of the thread have their turn. */
	private static final int MOST = 64;

	private final Executor threads;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/** Whether a thread runs them or will. */
	private final AtomicBoolean busy = new AtomicBoolean();

	private final Runnable some = this::runSome;

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
				Thread.interrupted(); // no task is left what the one before did
				task = (i < MOST) ? this.tasks.poll() : null;
			}
		}
		finally {
			this.busy.set(false);
			begin();
		}
	}

}
