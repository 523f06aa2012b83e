package io.rpcboot.internal.protocol.http2;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;

/**
 * Counts allocated bytes over many runs after many more, because the interpreter boxes
 * what compiled code does not.
 */
final class LeastAllocated {

	private static final int ATTEMPTS = 20;

	private LeastAllocated() {
	}

	/** Returns the bytes that a run of a task allocates, the least of some attempts. */
	static long by(Runnable task, int times) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		for (int i = 0; i < 3 * times; i++) {
			task.run();
		}
		long least = Long.MAX_VALUE;
		for (int attempt = 0; attempt < ATTEMPTS && least > 0; attempt++) {
			long before = threads.getCurrentThreadAllocatedBytes();
			for (int i = 0; i < times; i++) {
				task.run();
			}
			least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / times);
		}
		return least;
	}

}
