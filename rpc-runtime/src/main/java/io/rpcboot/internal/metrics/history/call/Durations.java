package io.rpcboot.internal.metrics.history.call;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Durations of calls in {@link Buckets} since the last tick. Threads add without waiting;
 * each writes into the stripe of its number, so that with enough stripes no two
 * processors fight for a cache line. One thread at a time drains, widens and narrows.
 */
final class Durations {

	private static final AtomicIntegerArray[] NONE = {};

	private volatile AtomicIntegerArray[] stripes;

	/** Stripes that nobody should write into any more; drained once more. */
	private AtomicIntegerArray[] leaving = NONE;

	/** The longest since the last tick, in nanoseconds. */
	private final AtomicLong longest = new AtomicLong();

	/**
	 * Nothing yet.
	 * @param stripes how many, a power of two
	 */
	Durations(int stripes) {
		this.stripes = extended(NONE, stripes);
	}

	/**
	 * Add calls.
	 * @param bucket the bucket of each of them
	 * @param calls how many
	 */
	void add(int bucket, int calls) {
		AtomicIntegerArray[] current = this.stripes;
		current[(int) Thread.currentThread().getId() & (current.length - 1)].getAndAdd(bucket, calls);
	}

	/** Tell how long an added call took, or the longest of several. */
	void took(long nanos) {
		long known = this.longest.get();
		while (nanos > known && !this.longest.compareAndSet(known, nanos)) {
			known = this.longest.get();
		}
	}

	/**
	 * Take out what was added. A call that is added meanwhile is in this drain or in the
	 * next one.
	 * @param counts its calls are added to these
	 * @return how many calls there were
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

	/** The longest since this was asked, in nanoseconds; 0 if there was none. */
	long takeLongest() {
		return this.longest.getAndSet(0);
	}

	int stripes() {
		return this.stripes.length;
	}

	/** Have as many stripes, more than now; a power of two. */
	void widen(int count) {
		this.stripes = extended(this.stripes, count);
	}

	/** Have one stripe again. The next drain empties the others. */
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
