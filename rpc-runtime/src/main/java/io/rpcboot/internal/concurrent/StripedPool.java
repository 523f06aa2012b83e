package io.rpcboot.internal.concurrent;

import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * Objects to use again, at most one for each stripe of threads, so that nothing grows
 * with the number of threads. A thread mostly gets back what it gave itself, so no cache
 * line wanders between processors. Thread-safe, without waiting.
 *
 * @param <T> the objects
 */
public final class StripedPool<T> {

	private static final int STRIPES = 64;

	/** So many references fill a cache line: two threads do not write into one. */
	private static final int APART = 16;

	private final AtomicReferenceArray<@Nullable T> objects = new AtomicReferenceArray<>(STRIPES * APART);

	/**
	 * Take an object.
	 * @return the caller's from now on; null if there is none, make one then
	 */
	public @Nullable T take() {
		return this.objects.getAndSet(stripe(), null);
	}

	/**
	 * Give an object back or for the first time.
	 * @param object used by nobody any more
	 */
	public void give(T object) {
		this.objects.lazySet(stripe(), object);
	}

	private static int stripe() {
		return ((int) Thread.currentThread().getId() & (STRIPES - 1)) * APART;
	}

}
