package io.rpcboot.hostile.victim;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, or for time to pass where the time is what is tested. */
public final class Eventually {

	private Eventually() {
	}

	public static void until(String what, Duration longest, BooleanSupplier condition) {
		if (!within(longest, condition)) {
			throw new AssertionError("not within " + longest + ": " + what);
		}
	}

	/** Returns whether it became true in time. */
	public static boolean within(Duration longest, BooleanSupplier condition) {
		long deadline = System.nanoTime() + longest.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return true;
	}

	/** Let this instant pass, one of {@link System#nanoTime()}. */
	public static void passed(long instantNanos) {
		for (long left = instantNanos - System.nanoTime(); left > 0; left = instantNanos - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
