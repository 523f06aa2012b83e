package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat of an event loop, which detects gaps: the process was stopped, the loop
 * was blocked, or the garbage collector paused it. Data that is read after a gap may have
 * waited for its whole length. Each beat also repeats the closes that are not complete.
 * Event loop only, except {@link #watch}.
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

	/** Linked list of the channels that are being closed. */
	private final AtomicReference<@Nullable ChannelCloser> closing = new AtomicReference<>();

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
	 * Repeats a close at each beat until it is complete. Allocates nothing. Any thread.
	 */
	void watch(ChannelCloser closer) {
		ChannelCloser first;
		do {
			first = this.closing.get();
			closer.next = first;
		}
		while (!this.closing.compareAndSet(first, closer));
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
		ChannelCloser closer = this.closing.getAndSet(null);
		while (closer != null) {
			ChannelCloser next = closer.next;
			closer.next = null;
			if (!closer.repeat()) {
				watch(closer);
			}
			closer = next;
		}
	}

}
