package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Says when an event loop was known to go round for the last time. After a gap (the
 * process stood still, the loop was blocked, a long collection) nobody knows how long
 * what is read then has waited: perhaps for the whole gap. With each beat connections try
 * again what they had no memory for. For the thread of the loop.
 */
public final class LoopHeartbeat implements Runnable {

	/** No gap yet: a round of a busy loop, or a beat that was late. */
	public static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

	private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** A century: of a loop that does not beat there are no gaps. */
	private static final long NEVER = TimeUnit.DAYS.toNanos(36_500);

	/**
	 * Since when what is read may have waited, as {@link System#nanoTime()}: the last
	 * beat that was in time.
	 */
	public long beatNanos = System.nanoTime() + NEVER;

	long lastRunNanos;

	private boolean started;

	private boolean watchesGaps;

	/** Connections of the loop that have something to try again, linked. */
	private final AtomicReference<@Nullable RecoveryTask> troubles = new AtomicReference<>();

	/** Beat from now on, until the loop ends. */
	public void start(EventLoop loop) {
		if (!this.started) {
			loop.scheduleWithFixedDelay(this, BEAT_NANOS, BEAT_NANOS, TimeUnit.NANOSECONDS);
			this.started = true;
		}
	}

	/** Tell of gaps from now on, if this beats. */
	public void watchGaps() {
		if (!this.watchesGaps) {
			this.watchesGaps = true;
			this.lastRunNanos = System.nanoTime();
			this.beatNanos = this.lastRunNanos;
		}
	}

	/** Let a connection try again at the next beat. Any thread; takes no memory. */
	void schedule(RecoveryTask trouble) {
		RecoveryTask first;
		do {
			first = this.troubles.get();
			trouble.next = first;
		}
		while (!this.troubles.compareAndSet(first, trouble));
	}

	/**
	 * One that is late may come before what has waited is read: then the next one counts.
	 */
	@Override
	public void run() {
		long now = System.nanoTime();
		if (this.watchesGaps && now - this.lastRunNanos <= GAP_NANOS) {
			this.beatNanos = now;
		}
		this.lastRunNanos = now;
		RecoveryTask trouble = (this.troubles.get() != null) ? this.troubles.getAndSet(null) : null;
		while (trouble != null) {
			RecoveryTask next = trouble.next;
			trouble.next = null;
			trouble.tryAgain();
			trouble = next;
		}
	}

}
