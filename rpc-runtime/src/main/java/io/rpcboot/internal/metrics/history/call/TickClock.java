package io.rpcboot.internal.metrics.history.call;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of the history: a ring of 180 ticks. Durations between ticks come from
 * {@link System#nanoTime()}, which never jumps; the wall clock gives each a label. When
 * the wall clock was set back, older labels move back with it, so that labels rise, the
 * latest is right and none lies in the future. When it was set forward, there is a gap.
 */
public final class TickClock {

	public static final int STEP_MILLIS = 5_000;

	/** 15 minutes. */
	public static final int KEPT = 180;

	private final LongSupplier nanoTime;

	private final InstantSource clock;

	private final long[] labels = new long[KEPT];

	/** Ticks so far. */
	private long count;

	/** When the last tick was, or the start, by {@code nanoTime}. */
	private long last;

	/** From the tick before to the last one. */
	private long elapsed;

	public TickClock(LongSupplier nanoTime, InstantSource clock) {
		this.nanoTime = nanoTime;
		this.clock = clock;
		this.last = nanoTime.getAsLong();
	}

	/**
	 * A step is over.
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

	/** Where the values of the last tick are in a ring. */
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
	 * The ticks after an instant.
	 * @param sinceEpochMillis the instant; one after the newest tick is of a clock that
	 * has been set back since, and counts as 0
	 * @param first the first tick that is asked for, from 0
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

	/** The labels at positions. */
	public long[] labels(int[] positions) {
		long[] some = new long[positions.length];
		for (int i = 0; i < positions.length; i++) {
			some[i] = this.labels[positions[i]];
		}
		return some;
	}

}
