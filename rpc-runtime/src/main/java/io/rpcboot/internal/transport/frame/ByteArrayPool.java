package io.rpcboot.internal.transport.frame;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * Arrays of long bodies to use again: a fresh one costs as much to clear as to fill, and
 * wanders through the heap. Nothing holds those that are not in use but weak references,
 * so the garbage collector takes them when it likes and none is kept for good.
 * Thread-safe, without waiting.
 */
public final class ByteArrayPool {

	/** Of this process. */
	public static final ByteArrayPool SHARED = new ByteArrayPool();

	/** Shorter arrays are made anew, in bytes. */
	static final int SHORTEST = 8 * 1024;

	/** Classes of lengths for each power of two: an array is longer by an eighth. */
	private static final int CLASSES = 8;

	private static final int CLASS_BITS = 3;

	private static final int SHORTEST_BITS = 13;

	/** Arrays of one class. */
	private static final int PLACES = 16;

	private final AtomicReferenceArray<@Nullable WeakReference<byte[]>> free = new AtomicReferenceArray<>(
			(Integer.SIZE - SHORTEST_BITS) * CLASSES * PLACES);

	/**
	 * Get an array for a body that has begun.
	 * @param length of the body, in bytes
	 * @return an array of this length, or one that is longer by at most an eighth; its
	 * content may be anything
	 */
	byte[] take(int length) {
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
	 * Copy a body, into an array to be given back.
	 * @param source holds the bytes
	 * @param from index of the first
	 * @param to index behind the last
	 * @return an array that begins with them
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
	 * Give an array back, or for the first time.
	 * @param array nobody reads or writes it any more, and nobody gives it again
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

	/** Lengths of one class differ by less than an eighth. */
	private static int classOf(int length) {
		int bits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
		return (bits - SHORTEST_BITS) * CLASSES + ((length >>> (bits - CLASS_BITS)) & (CLASSES - 1));
	}

}
