package io.rpcboot.serialization.zoo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

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

	/** A class whose constructor makes what is filled. */
	public static class Cart {

		private final List<String> items = new ArrayList<>();

		private final Set<Integer> marks = new TreeSet<>(Set.of(7));

		private final Map<String, Cart> carts = new ConcurrentHashMap<>();

		public static Cart of(String... items) {
			Cart cart = new Cart();
			cart.items.addAll(Arrays.asList(items));
			cart.marks.clear();
			return cart;
		}

		public Cart with(String name, Cart cart) {
			this.carts.put(name, cart);
			return this;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Cart that && this.items.equals(that.items) && this.marks.equals(that.marks)
					&& this.carts.equals(that.carts);
		}

		@Override
		public int hashCode() {
			return this.items.hashCode() + this.marks.hashCode() + this.carts.hashCode();
		}

	}

}
