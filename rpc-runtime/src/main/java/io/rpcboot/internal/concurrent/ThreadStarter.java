package io.rpcboot.internal.concurrent;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts the threads of a worker pool, up to its bound. Any thread. */
abstract class ThreadStarter {

	final FailureLog log = new FailureLog();

	private final String name;

	final int maxThreads;

	/** Threads alive. */
	final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger started = new AtomicInteger();

	/** Those that were started; some may have ended. */
	final Set<Thread> all = ConcurrentHashMap.newKeySet();

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
			Thread thread = newThread(this.name + this.started.incrementAndGet());
			thread.start();
			this.all.removeIf((each) -> !each.isAlive());
			this.all.add(thread);
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
