package io.rpcboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
final class Eventually {

	private Eventually() {
	}

	static void until(String what, BooleanSupplier condition) {
		until(what, Duration.ofSeconds(20), condition);
	}

	static void until(String what, Duration longest, BooleanSupplier condition) {
		long deadline = System.nanoTime() + longest.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > deadline) {
				throw new AssertionError("not within " + longest + ": " + what);
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
		}
	}

	/** Wait until an instant as {@link System#nanoTime()}. */
	static void passed(long instantNanos) {
		for (long left = instantNanos - System.nanoTime(); left > 0; left = instantNanos - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
