package io.rpcboot.fuzz;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;

/**
 * What reading may allocate: at most {@value #FACTOR} times the input plus
 * {@value #CONSTANT} bytes.
 */
public final class Bounds {

	/** Bytes allocated for each byte of input. */
	public static final int FACTOR = 16;

	/** Bytes allocated whatever the input is. */
	public static final int CONSTANT = 16 * 1024 * 1024;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private Bounds() {
	}

	/** What a task allocates in this thread, in bytes. */
	public static long allocatedBy(Runnable task) {
		long before = THREADS.getCurrentThreadAllocatedBytes();
		task.run();
		return THREADS.getCurrentThreadAllocatedBytes() - before;
	}

	/** Run a task that may not allocate more than is allowed for its input. */
	public static void check(int inputLength, Runnable task) {
		long allowed = FACTOR * (long) inputLength + CONSTANT;
		// the first time may load classes
		if (allocatedBy(task) <= allowed) {
			return;
		}
		long allocated = allocatedBy(task);
		if (allocated > allowed) {
			throw new AssertionError("%d bytes allocated for an input of %d bytes (expected: at most %d)"
				.formatted(allocated, inputLength, allowed));
		}
	}

}
