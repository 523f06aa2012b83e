package io.rpcboot.serialization.zoo;

import java.util.Arrays;

/**
 * Classes that only the zoo has.
 */
public final class ZooClasses {

	private ZooClasses() {
	}

	/** A generic record that checks and changes what it is given. */
	public record Range<T extends Comparable<? super T>>(T low, T high) {

		public Range {
			if (low != null && high != null && low.compareTo(high) > 0) {
				throw new IllegalArgumentException("low: %s (expected: at most %s)".formatted(low, high));
			}
		}

	}

	/** A generic class that holds an array of its parameter. */
	public static class Batch<T> {

		private T[] items;

		private int[] counts = { 1 };

		@SafeVarargs
		@SuppressWarnings("varargs")
		public static <T> Batch<T> of(T... items) {
			Batch<T> batch = new Batch<>();
			batch.items = items;
			batch.counts = new int[] { items.length };
			return batch;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Batch<?> that && Arrays.equals(this.items, that.items)
					&& Arrays.equals(this.counts, that.counts);
		}

		@Override
		public int hashCode() {
			return Arrays.hashCode(this.items) + Arrays.hashCode(this.counts);
		}

	}

}
