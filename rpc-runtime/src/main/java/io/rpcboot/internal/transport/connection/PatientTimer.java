package io.rpcboot.internal.transport.connection;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Time limit of a peer. It has twelve parts, and a part that fires late counts once, so
 * that the time in which this process does not run is no time of the peer. Event loop
 * only.
 */
public final class PatientTimer {

	private static final int PARTS = 12;

	private final long partNanos;

	/** Parts that are not over. */
	private int left;

	private @Nullable Future<?> timer;

	public PatientTimer(Duration limit) {
		this.partNanos = Options.nanos(limit) / PARTS;
	}

	/**
	 * Starts the time, or starts it again.
	 * @param over runs at the end of the time, unless the timer is stopped
	 */
	public void start(Connection.Timers loop, Runnable over) {
		stop();
		this.left = PARTS;
		schedule(loop, over);
	}

	private void schedule(Connection.Timers loop, Runnable over) {
		this.timer = loop.schedule(() -> {
			if (--this.left > 0) {
				schedule(loop, over);
			}
			else {
				over.run();
			}
		}, this.partNanos, TimeUnit.NANOSECONDS);
	}

	/** Stops the time. Does nothing if it is over or has not begun. */
	public void stop() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

}
