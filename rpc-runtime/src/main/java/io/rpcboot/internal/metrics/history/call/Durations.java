package io.rpcboot.internal.metrics.history.call;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Durations of calls since the last tick, in {@link Buckets}. Threads add without
 * waiting, each to the stripe of its thread id, so that processors do not share cache
 * lines. One thread at a time drains, widens and narrows.
 */
final class Durations {

	/**
	 * Wait from which on a call adds to the sum of waits, in nanoseconds, so that calls
	 * that do not wait share no counter.
	 */
	static final long LEAST_WAIT = 100_000;

	private static final AtomicIntegerArray[] NONE = {};

	private volatile AtomicIntegerArray[] stripes;

	/** Removed stripes, which late threads may still write; drained once more. */
	private AtomicIntegerArray[] leaving = NONE;

	/** Longest duration since the last tick, in nanoseconds. */
	private final AtomicLong longest = new AtomicLong();

	/** Sum of the waits since the last tick, in nanoseconds. */
	private final AtomicLong waited = new AtomicLong();

	/**
	 * Creates empty durations.
	 * @param stripes number of stripes, a power of two
	 */
	Durations(int stripes) {
		this.stripes = extended(NONE, stripes);
	}

	/**
	 * Adds calls.
	 * @param bucket their bucket
	 * @param calls their number
	 */
	void add(int bucket, int calls) {
		AtomicIntegerArray[] current = this.stripes;
		current[(int) Thread.currentThread().getId() & (current.length - 1)].getAndAdd(bucket, calls);
	}

	/** Reports the duration of an added call, or the longest of several. */
	void took(long nanos) {
		long known = this.longest.get();
		while (nanos > known && !this.longest.compareAndSet(known, nanos)) {
			known = this.longest.get();
		}
	}

	/** Adds the waits of added calls, in nanoseconds. */
	void waited(long nanos) {
		this.waited.getAndAdd(nanos);
	}

	/** Returns and resets the sum of the waits, in nanoseconds. */
	long takeWaited() {
		return this.waited.getAndSet(0);
	}

	/**
	 * Removes the added calls. A call that is added at the same time is in this drain or
	 * in the next.
	 * @param counts receives the calls by bucket
	 * @return number of calls
	 */
	long drain(int[] counts) {
		long calls = 0;
		for (AtomicIntegerArray stripe : this.stripes) {
			calls += drain(stripe, counts);
		}
		for (AtomicIntegerArray stripe : this.leaving) {
			calls += drain(stripe, counts);
		}
		this.leaving = NONE;
		return calls;
	}

	private static long drain(AtomicIntegerArray stripe, int[] counts) {
		long calls = 0;
		for (int bucket = 0; bucket < counts.length; bucket++) {
			if (stripe.getPlain(bucket) != 0) {
				int added = stripe.getAndSet(bucket, 0);
				counts[bucket] += added;
				calls += added;
			}
		}
		return calls;
	}

	/** Returns and resets the longest duration, in nanoseconds; 0 without calls. */
	long takeLongest() {
		return this.longest.getAndSet(0);
	}

	int stripes() {
		return this.stripes.length;
	}

	/**
	 * Increases the number of stripes.
	 * @param count the new number, a power of two
	 */
	void widen(int count) {
		this.stripes = extended(this.stripes, count);
	}

	/** Reduces to one stripe. The next drain empties the others. */
	void narrow() {
		AtomicIntegerArray[] all = this.stripes;
		this.stripes = new AtomicIntegerArray[] { all[0] };
		this.leaving = all;
	}

	private static AtomicIntegerArray[] extended(AtomicIntegerArray[] some, int count) {
		AtomicIntegerArray[] all = new AtomicIntegerArray[count];
		for (int i = 0; i < count; i++) {
			all[i] = (i < some.length) ? some[i] : new AtomicIntegerArray(Buckets.COUNT);
		}
		return all;
	}

}
