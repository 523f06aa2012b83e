package io.rpcboot.internal.transport;

import java.util.concurrent.TimeUnit;

import io.netty.channel.EventLoop;

/**
 * Says when an event loop was known to go round for the last time. After a gap (the
 * process stood still, the loop was blocked, a long collection) nobody knows how long
 * what is read then has waited: perhaps for the whole gap. For the thread of the loop.
 */
final class LoopPulse implements Runnable {

	/** No gap yet: a round of a busy loop, or a beat that was late. */
	static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** A century: of a loop that does not beat there are no gaps. */
	private static final long NEVER = TimeUnit.DAYS.toNanos(36_500);

	/** As {@link System#nanoTime()}. */
	long beatNanos = System.nanoTime() + NEVER;

	private boolean started;

	/** Beat from now on, until the loop ends. */
	void start(EventLoop loop) {
		if (!this.started) {
			this.started = true;
			run();
			loop.scheduleAtFixedRate(this, BEAT_NANOS, BEAT_NANOS, TimeUnit.NANOSECONDS);
		}
	}

	@Override
	public void run() {
		this.beatNanos = System.nanoTime();
	}

}
