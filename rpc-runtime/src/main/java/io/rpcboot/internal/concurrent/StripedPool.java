package io.rpcboot.internal.concurrent;

import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * A pool with at most one object per stripe of threads, so that its size does not grow
 * with the number of threads. A thread mostly gets the object back that it released, so
 * cache lines stay on their processor. Thread-safe and lock-free.
 *
 * @param <T> type of the objects
 */
public final class StripedPool<T> {

	private static final int STRIPES = 64;

	/** Distance of two slots: 16 references fill a cache line. */
	private static final int DISTANCE = 16;

	private final AtomicReferenceArray<@Nullable T> objects = new AtomicReferenceArray<>(STRIPES * DISTANCE);

	/**
	 * Takes an object.
	 * @return owned by the caller; null if there is none
	 */
	public @Nullable T take() {
		return this.objects.getAndSet(stripe(), null);
	}

	/**
	 * Adds an object.
	 * @param object not used any more by its last owner
	 */
	public void give(T object) {
		this.objects.lazySet(stripe(), object);
	}

	private static int stripe() {
		return ((int) Thread.currentThread().getId() & (STRIPES - 1)) * DISTANCE;
	}

}
