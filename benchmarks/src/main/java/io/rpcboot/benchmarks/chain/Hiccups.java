package io.rpcboot.benchmarks.chain;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.benchmarks.chain.Hop.Hiccup;

/** A thread that looks how long the machine lets it wait. */
final class Hiccups {

	private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private final List<Hiccup> seen = new CopyOnWriteArrayList<>();

	Hiccups() {
		Thread thread = new Thread(this::watch, "hiccups");
		thread.setDaemon(true);
		thread.start();
	}

	private void watch() {
		while (true) {
			long begin = System.nanoTime();
			LockSupport.parkNanos(BEAT_NANOS);
			long end = System.nanoTime();
			if (end - begin >= LEAST_NANOS) {
				this.seen.add(new Hiccup(end, end - begin));
			}
		}
	}

	List<Hiccup> seen() {
		return List.copyOf(this.seen);
	}

	/** The longest that reaches into a time. */
	static long longest(List<Hiccup> hiccups, long fromNanos, long toNanos) {
		return hiccups.stream()
			.filter((each) -> each.endNanos() > fromNanos && each.endNanos() - each.nanos() < toNanos)
			.mapToLong(Hiccup::nanos)
			.max()
			.orElse(0);
	}

}
