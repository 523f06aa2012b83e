package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * How large the results of a method have been lately, so that memory for one can be
 * reserved before its call begins. Any thread; a lost update does no harm.
 */
public final class ResponseSizeEstimator implements IntConsumer {

	/** Smaller results are made in the buffer of their thread. */
	private static final int WORTH_WHILE = 64 * 1024;

	/** Without a result that was entered, a method is one of small results again. */
	private static final long SMALL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** In bytes; 0 while all are small. */
	public volatile int expected;

	/** As {@link System#nanoTime()}. */
	private volatile long smallFrom = System.nanoTime();

	/** A result was entered in the account. */
	public void entered() {
		this.smallFrom = System.nanoTime() + SMALL_AFTER_NANOS;
	}

	/** Whether results take nothing of the account, so that a call may always begin. */
	public boolean areSmall() {
		return System.nanoTime() - this.smallFrom >= 0;
	}

	/** A result that is being made has reached so many bytes. */
	@Override
	public void accept(int bytes) {
		if (bytes > WORTH_WHILE && bytes > this.expected) {
			this.expected = bytes;
		}
	}

	/**
	 * A result has so many bytes.
	 * @param bytes its length
	 * @param isCalm whether memory is plenty: then an eighth of the difference is
	 * forgotten. Else small results between large ones would let calls begin for whose
	 * results there is no room, each with a thread and all that the implementation has
	 * made.
	 */
	public void made(int bytes, boolean isCalm) {
		int before = this.expected;
		if (bytes >= before || isCalm) {
			int next = (bytes >= before) ? bytes : before - Math.max(1, (before - bytes) / 8);
			this.expected = (next > WORTH_WHILE) ? next : 0;
		}
	}

}
