package io.rpcboot.metrics;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Gauge whose parts come from several clients or servers, for implementations of
 * {@link RpcMetrics#gauge(Gauge, String, LongSupplier)}. A part that is added more than
 * once counts once. Parts are read without a lock, because their owners may hold locks.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class SharedGauge {

	/** Number of registrations, by part. */
	private final Map<LongSupplier, Integer> parts = new IdentityHashMap<>(1);

	private final boolean onlyRises;

	/** Final values of removed parts; 0 unless the gauge only rises. */
	private long ended;

	private boolean hasEnded;

	/** Highest sum that was returned, if the gauge only rises. */
	private long highest;

	/**
	 * Creates a gauge without parts.
	 * @param onlyRises true for a counter, which keeps the values of removed parts
	 */
	public SharedGauge(boolean onlyRises) {
		this.onlyRises = onlyRises;
	}

	/**
	 * Adds a part.
	 * @param part returns its value; called from any thread
	 * @return removes the part; repeated calls have no effect
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
	 * Returns true if there is a value.
	 * @return false without parts, unless the gauge only rises and had a part
	 */
	public synchronized boolean isKnown() {
		return this.hasEnded || !this.parts.isEmpty();
	}

	/**
	 * Returns the sum of all parts. The sum of a counter never falls from one reading to
	 * the next, not even while a part is removed.
	 * @return the sum, including removed parts of a counter; 0 if unknown
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
	 * Returns the smallest part.
	 * @return the value; 0 without parts
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
