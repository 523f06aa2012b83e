package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Estimates the size of the responses of a method, so that memory is reserved before a
 * call runs: expected = max(size, expected - (expected - size) / 8). Example: after a
 * response of 1 MiB, one of 200 KiB lowers the estimate to 921 KiB. Any thread; a lost
 * update does no harm.
 */
public final class ResponseSizeEstimator implements IntConsumer {

	/** Responses up to this size in bytes are built in the buffer of their thread. */
	private static final int MIN_SIZE = 64 * 1024;

	/** Time without a reserved response after which all responses count as small. */
	private static final long SMALL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Estimate in bytes; 0 while all responses are small. */
	public volatile int expected;

	/** Instant from which responses count as small, as {@link System#nanoTime()}. */
	private volatile long smallFrom = System.nanoTime();

	/** Records a response that was reserved in the memory budget. */
	public void entered() {
		this.smallFrom = System.nanoTime() + SMALL_AFTER_NANOS;
	}

	/** Returns true if responses need no memory of the budget. */
	public boolean areSmall() {
		return System.nanoTime() - this.smallFrom >= 0;
	}

	/** Raises the estimate while a response is being built. */
	@Override
	public void accept(int bytes) {
		if (bytes > MIN_SIZE && bytes > this.expected) {
			this.expected = bytes;
		}
	}

	/**
	 * Updates the estimate by a complete response.
	 * @param bytes its length
	 * @param isCalm true if memory is plenty. Else the estimate is not lowered: small
	 * responses between large ones would admit calls for whose responses there is no
	 * memory, each with a thread and the objects of the implementation
	 */
	public void made(int bytes, boolean isCalm) {
		int before = this.expected;
		if (bytes >= before || isCalm) {
			int next = (bytes >= before) ? bytes : before - Math.max(1, (before - bytes) / 8);
			this.expected = (next > MIN_SIZE) ? next : 0;
		}
	}

}
