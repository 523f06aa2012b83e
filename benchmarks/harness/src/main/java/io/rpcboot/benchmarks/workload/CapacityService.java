package io.rpcboot.benchmarks.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

/**
 * A service whose {@link #sleep} has a known capacity and counts its executions, whatever
 * system calls it and on how many threads. Thread-safe.
 */
public final class CapacityService extends DefaultBenchService {

	/** As many calls as there are threads. */
	public static final String UNLIMITED = "unlimited";

	/** Takes processor time instead of sleeping. */
	public static final String BURN = "burn";

	private static final String PERMITS = "permits:";

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final LongAdder executed = new LongAdder();

	private final LongAdder finished = new LongAdder();

	private final boolean burns;

	/** How many calls may sleep at the same time; null for all. */
	private final @Nullable Semaphore permits;

	private CapacityService(boolean burns, @Nullable Semaphore permits) {
		this.burns = burns;
		this.permits = permits;
	}

	/**
	 * The word for a service in which only some calls sleep at the same time; the others
	 * hold their threads in order of arrival, as they do before a small pool of database
	 * connections.
	 * @param permits how many sleep
	 * @return the word
	 */
	public static String permits(int permits) {
		return PERMITS + permits;
	}

	/**
	 * Create the service that a word says.
	 * @param word one of {@link #UNLIMITED}, {@link #BURN} and {@link #permits}
	 * @return the service
	 * @throws IllegalArgumentException if it is none of these
	 */
	public static CapacityService of(String word) {
		if (word.startsWith(PERMITS)) {
			return new CapacityService(false, new Semaphore(Integer.parseInt(word.substring(PERMITS.length())), true));
		}
		return switch (word) {
			case UNLIMITED -> new CapacityService(false, null);
			case BURN -> new CapacityService(true, null);
			default -> throw new IllegalArgumentException(
					"capacity: " + word + " (expected: unlimited, burn or permits:<number>)");
		};
	}

	/**
	 * How many calls have begun to execute.
	 * @return the number
	 */
	public long executed() {
		return this.executed.sum();
	}

	/**
	 * How many calls execute now, those included that wait for their turn to sleep.
	 * @return the number; exact while no call begins or ends
	 */
	public long running() {
		long ended = this.finished.sum(); // first: a call that ends meanwhile runs
		return this.executed.sum() - ended;
	}

	@Override
	public int sleep(int millis) {
		this.executed.increment();
		try {
			return this.burns ? burn(millis) : sleepInTurn(millis);
		}
		finally {
			this.finished.increment();
		}
	}

	private int sleepInTurn(int millis) {
		if (this.permits == null) {
			return super.sleep(millis);
		}
		this.permits.acquireUninterruptibly();
		try {
			return super.sleep(millis);
		}
		finally {
			this.permits.release();
		}
	}

	private static int burn(int millis) {
		long end = THREADS.getCurrentThreadCpuTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (THREADS.getCurrentThreadCpuTime() - end < 0) {
			Thread.onSpinWait();
		}
		return millis;
	}

}
