package io.rpcboot.internal.transport.frame;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * Recycles the arrays of large bodies, because clearing a new array costs as much as
 * filling it. Only weak references hold unused arrays, so the garbage collector may take
 * them at any time. Thread-safe and lock-free.
 */
public final class ByteArrayPool {

	/** The pool of this process. */
	public static final ByteArrayPool SHARED = new ByteArrayPool();

	/** Length in bytes from which on arrays are recycled. */
	static final int SHORTEST = 8 * 1024;

	/** Size classes per power of two, so an array is too long by at most an eighth. */
	private static final int CLASSES = 8;

	private static final int CLASS_BITS = 3;

	private static final int SHORTEST_BITS = 13;

	/** Largest number of unused arrays of one size class. */
	private static final int PLACES = 16;

	private final AtomicReferenceArray<@Nullable WeakReference<byte[]>> free = new AtomicReferenceArray<>(
			(Integer.SIZE - SHORTEST_BITS) * CLASSES * PLACES);

	/**
	 * Takes an array for a body.
	 * @param length length of the body in bytes
	 * @return an array of this length, or one that is longer by at most an eighth; its
	 * content is undefined
	 */
	public byte[] take(int length) {
		if (length >= SHORTEST) {
			int first = classOf(length) * PLACES;
			for (int i = first; i < first + PLACES; i++) {
				WeakReference<byte[]> reference = (this.free.getPlain(i) != null) ? this.free.getAndSet(i, null) : null;
				byte[] array = (reference != null) ? reference.get() : null;
				if (array != null && array.length >= length) {
					return array;
				}
			}
		}
		return new byte[length];
	}

	/**
	 * Copies a body into an array of this pool.
	 * @param source holds the bytes
	 * @param from index of the first byte
	 * @param to index behind the last byte
	 * @return an array that begins with the bytes
	 */
	byte[] copy(byte[] source, int from, int to) {
		if (to - from < SHORTEST) {
			return Arrays.copyOfRange(source, from, to);
		}
		byte[] target = take(to - from);
		System.arraycopy(source, from, target, 0, to - from);
		return target;
	}

	/**
	 * Adds an array to the pool. Short arrays are ignored.
	 * @param array not used any more by its last owner
	 */
	public void give(byte[] array) {
		if (array.length >= SHORTEST) {
			int first = classOf(array.length) * PLACES;
			for (int i = first; i < first + PLACES; i++) {
				if (this.free.getPlain(i) == null && this.free.compareAndSet(i, null, new WeakReference<>(array))) {
					return;
				}
			}
		}
	}

	private static int classOf(int length) {
		int bits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
		return (bits - SHORTEST_BITS) * CLASSES + ((length >>> (bits - CLASS_BITS)) & (CLASSES - 1));
	}

}
