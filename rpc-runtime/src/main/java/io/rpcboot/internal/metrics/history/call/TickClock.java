package io.rpcboot.internal.metrics.history.call;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Clock of the history: a ring of 180 ticks. Durations come from
 * {@link System#nanoTime()}, which never jumps; the wall clock labels the ticks. If the
 * wall clock is set back, older labels move back with it, so that labels rise, the latest
 * is right and none is in the future. If it is set forward, there is a gap.
 */
public final class TickClock {

	public static final int STEP_MILLIS = 5_000;

	/** 15 minutes. */
	public static final int KEPT = 180;

	private final LongSupplier nanoTime;

	private final InstantSource clock;

	private final long[] labels = new long[KEPT];

	/** Number of ticks. */
	private long count;

	/** Time of the last tick, or of the start, by {@code nanoTime}. */
	private long last;

	/** Time between the previous tick and the last one. */
	private long elapsed;

	public TickClock(LongSupplier nanoTime, InstantSource clock) {
		this.nanoTime = nanoTime;
		this.clock = clock;
		this.last = nanoTime.getAsLong();
	}

	/**
	 * Ends a step.
	 * @return false if no time has passed, so that there is no tick
	 */
	public boolean advance() {
		long now = this.nanoTime.getAsLong();
		if (now - this.last <= 0) {
			return false;
		}
		this.elapsed = now - this.last;
		this.last = now;
		label(this.clock.millis());
		this.count++;
		return true;
	}

	private void label(long millis) {
		if (this.count > 0 && millis <= newest()) {
			long back = newest() - millis + Math.max(1, this.elapsed / 1_000_000);
			for (int i = 0; i < KEPT; i++) {
				this.labels[i] -= back;
			}
		}
		this.labels[(int) (this.count % KEPT)] = millis;
	}

	private long newest() {
		return this.labels[(int) ((this.count - 1) % KEPT)];
	}

	public long count() {
		return this.count;
	}

	/** Returns the position of the last tick in a ring. */
	public int position() {
		return (int) ((this.count - 1) % KEPT);
	}

	long nanoTime() {
		return this.last;
	}

	public double elapsedSeconds() {
		return this.elapsed / 1e9;
	}

	/**
	 * Returns the ticks after a time.
	 * @param sinceEpochMillis the time; a time after the newest tick comes from a clock
	 * that was set back, and counts as 0
	 * @param first number of the first tick, from 0
	 * @return positions in a ring, oldest first
	 */
	public int[] after(long sinceEpochMillis, long first) {
		long since = (this.count > 0 && sinceEpochMillis > newest()) ? 0 : sinceEpochMillis;
		long from = Math.max(first, Math.max(0, this.count - KEPT));
		while (from < this.count && this.labels[(int) (from % KEPT)] <= since) {
			from++;
		}
		int[] positions = new int[(int) Math.max(0, this.count - from)];
		for (int i = 0; i < positions.length; i++) {
			positions[i] = (int) ((from + i) % KEPT);
		}
		return positions;
	}

	/** Returns the labels at these positions. */
	public long[] labels(int[] positions) {
		return Arrays.stream(positions).mapToLong((position) -> this.labels[position]).toArray();
	}

}
