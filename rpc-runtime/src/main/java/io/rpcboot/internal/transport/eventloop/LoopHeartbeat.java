package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.TimeUnit;

import io.netty.channel.EventLoop;

/**
 * The heartbeat of an event loop, which detects gaps: the process was stopped, the loop
 * was blocked, or the garbage collector paused it. Data that is read after a gap may have
 * waited for its whole length. Event loop only.
 */
public final class LoopHeartbeat implements Runnable {

	/** Time without a beat that is a gap; a busy loop and a late beat are shorter. */
	public static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** A century: a loop without a heartbeat has no gaps. */
	private static final long NEVER = TimeUnit.DAYS.toNanos(36_500);

	/** Time of the last beat in time, as {@link System#nanoTime()}. */
	public long beatNanos = System.nanoTime() + NEVER;

	long lastRunNanos;

	private boolean started;

	private boolean watchesGaps;

	/** Starts the heartbeat, which ends with the loop. */
	public void start(EventLoop loop) {
		if (!this.started) {
			loop.scheduleWithFixedDelay(this, BEAT_NANOS, BEAT_NANOS, TimeUnit.NANOSECONDS);
			this.started = true;
		}
	}

	/** Detects gaps from now on, if the heartbeat is started. */
	public void watchGaps() {
		if (!this.watchesGaps) {
			this.watchesGaps = true;
			this.lastRunNanos = System.nanoTime();
			this.beatNanos = this.lastRunNanos;
		}
	}

	/**
	 * Beats. A late beat may run before the data that has waited is read, so only the
	 * next one ends the gap. Never throws: the loop would not run it again.
	 */
	@Override
	public void run() {
		long now = System.nanoTime();
		if (this.watchesGaps && now - this.lastRunNanos <= GAP_NANOS) {
			this.beatNanos = now;
		}
		this.lastRunNanos = now;
	}

}
