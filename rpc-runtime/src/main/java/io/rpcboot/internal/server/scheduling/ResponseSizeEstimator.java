package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Estimates the size of the responses of a method, so that memory is reserved before a
 * call runs: expected = the largest response of this second and of the one before, a
 * windowed maximum. Time lowers it, never the number of short responses: a client that
 * asks for them in between cannot hide how long the next ones are. Any thread; a lost
 * update does no harm.
 */
public final class ResponseSizeEstimator implements IntConsumer {

	/** Responses up to this size in bytes are built in the buffer of their thread. */
	private static final int MIN_SIZE = 64 * 1024;

	/** Time without a reserved response after which all responses count as small. */
	private static final long SMALL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Time after which the largest response of a period is the estimate. */
	private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Estimate in bytes; 0 while all responses are small. */
	public volatile int expected;

	/** Instant from which responses count as small, as {@link System#nanoTime()}. */
	private volatile long smallFrom = System.nanoTime();

	/** Largest response of this period in bytes. */
	private volatile int largest;

	/** Begin of this period, as {@link System#nanoTime()}. */
	private volatile long periodStart = System.nanoTime();

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
	 * @param now {@link System#nanoTime()}
	 */
	public void made(int bytes, boolean isCalm, long now) {
		accept(bytes);
		this.largest = Math.max(bytes, this.largest);
		if (now - this.periodStart >= PERIOD_NANOS) {
			if (isCalm) {
				int next = this.largest;
				this.expected = (next > MIN_SIZE) ? next : 0;
			}
			this.largest = bytes;
			this.periodStart = now;
		}
	}

}
