package io.rpcboot.internal.concurrent;

import java.util.concurrent.atomic.AtomicInteger;

/** Starts the threads of a worker pool, up to its bound. Any thread. */
abstract class ThreadStarter {

	final FailureLog log = new FailureLog();

	private final String name;

	private final int maxThreads;

	/** Threads alive. */
	final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger started = new AtomicInteger();

	/** Whether no more threads start; never false again. */
	volatile boolean closed;

	ThreadStarter(String name, int maxThreads) {
		this.name = name;
		this.maxThreads = maxThreads;
	}

	abstract Thread newThread(String name);

	/** Returns false if there are enough, or the system gives no more. */
	final boolean startThread() {
		int count;
		do {
			count = this.threads.get();
			if (count >= this.maxThreads || this.closed) {
				return false;
			}
		}
		while (!this.threads.compareAndSet(count, count + 1));
		try {
			newThread(this.name + this.started.incrementAndGet()).start();
			return true;
		}
		catch (Throwable ex) {
			this.threads.decrementAndGet();
			this.log.survived("The system gives no more threads", ex);
			return false;
		}
	}

	/**
	 * The threads alive now.
	 * @return the number
	 */
	public final int threads() {
		return this.threads.get();
	}

}
