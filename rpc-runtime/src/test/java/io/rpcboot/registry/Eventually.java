package io.rpcboot.registry;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a bound. */
public final class Eventually {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private Eventually() {
	}

	public static void eventually(String what, BooleanSupplier condition) {
		long end = System.nanoTime() + BOUND.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				throw new AssertionError(what + ": not within " + BOUND);
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

}
