package io.rpcboot.metrics;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * The parts of one number that several clients or servers offer, for an implementation of
 * {@link RpcMetrics#gauge(Gauge, String, LongSupplier)}. A part that is offered more than
 * once counts once. Parts are read without a lock, since whoever offers one may hold its
 * own. Thread-safe.
 */
public final class SharedGauge {

	/** By part how often it is offered. */
	private final Map<LongSupplier, Integer> parts = new IdentityHashMap<>(1);

	private final boolean onlyRises;

	/** What parts had counted when they were taken back; 0 unless it only rises. */
	private long ended;

	private boolean hasEnded;

	/** The highest sum that was read, if it only rises. */
	private long highest;

	/**
	 * Create it without parts.
	 * @param onlyRises whether it counts what happened, so that what a part had counted
	 * stays when it is taken back
	 */
	public SharedGauge(boolean onlyRises) {
		this.onlyRises = onlyRises;
	}

	/**
	 * Offer a part.
	 * @param part reads it, from any thread
	 * @return takes it back; a second time does nothing
	 */
	public synchronized AutoCloseable add(LongSupplier part) {
		this.parts.merge(part, 1, Integer::sum);
		AtomicBoolean offered = new AtomicBoolean(true);
		return () -> {
			if (offered.getAndSet(false)) {
				remove(part, this.onlyRises ? part.getAsLong() : 0);
			}
		};
	}

	private synchronized void remove(LongSupplier part, long counted) {
		boolean last = this.parts.merge(part, -1, (count, less) -> (count > 1) ? count - 1 : null) == null;
		if (last && this.onlyRises) {
			this.ended += counted;
			this.hasEnded = true;
		}
	}

	/**
	 * Whether there is a number.
	 * @return false if nobody offers a part now, unless it only rises and somebody did
	 */
	public synchronized boolean isKnown() {
		return this.hasEnded || !this.parts.isEmpty();
	}

	/**
	 * All parts added. A sum that only rises never falls from one reading to the next,
	 * also while a part is taken back.
	 * @return the sum, with what was counted by parts that were taken back; 0 if unknown
	 */
	public long sum() {
		List<LongSupplier> now;
		long before;
		synchronized (this) {
			now = List.copyOf(this.parts.keySet());
			before = this.ended;
		}
		long sum = before + read(now).sum();
		return this.onlyRises ? notLess(sum) : sum;
	}

	private synchronized long notLess(long sum) {
		this.highest = Math.max(this.highest, sum);
		return this.highest;
	}

	/**
	 * The least part.
	 * @return the number; 0 if there is none
	 */
	public long least() {
		List<LongSupplier> now;
		synchronized (this) {
			now = List.copyOf(this.parts.keySet());
		}
		return read(now).min().orElse(0);
	}

	private static LongStream read(List<LongSupplier> parts) {
		return parts.stream().mapToLong(LongSupplier::getAsLong);
	}

}
