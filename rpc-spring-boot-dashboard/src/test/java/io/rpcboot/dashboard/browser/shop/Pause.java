package io.rpcboot.dashboard.browser.shop;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Work that takes a while and no processor. */
final class Pause {

	private Pause() {
	}

	static void of(double millis) {
		long end = System.nanoTime() + (long) (millis * Duration.ofMillis(1).toNanos());
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
