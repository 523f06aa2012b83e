package io.rpcboot.serialization.types;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A declared type of collection.
 *
 * @param type the declared type
 * @param factory makes an empty one, to be filled
 * @param reversed makes one in reverse of the natural order; null if it is not sorted
 * @param finisher makes what arrives of what was filled; null if it is the same
 * @param holdsNull whether an element can be null
 */
public record CollectionKind(Class<?> type, Supplier<Collection<@Nullable Object>> factory,
		@Nullable Supplier<Collection<@Nullable Object>> reversed,
		@Nullable UnaryOperator<Collection<@Nullable Object>> finisher, boolean holdsNull) {

	/** Far more than there are elements, and no capacity that anybody chooses. */
	private static final int UNBOUNDED = 1 << 30;

	static CollectionKind of(Class<?> type, Supplier<Collection<@Nullable Object>> factory) {
		return new CollectionKind(type, factory, null, null, true);
	}

	static CollectionKind withoutNull(Class<?> type, Supplier<Collection<@Nullable Object>> factory) {
		return new CollectionKind(type, factory, null, null, false);
	}

	/**
	 * Whether a value is written as it is.
	 * @return true if {@link #prepare} and {@link #isReversed} do nothing
	 */
	public boolean isPlain() {
		return this.reversed == null && !Queue.class.isAssignableFrom(this.type);
	}

	/** Whether no two elements are equal. */
	boolean isDistinct() {
		return Set.class.isAssignableFrom(this.type);
	}

	/**
	 * Whether a value is in the reverse of the natural order, which is said before its
	 * elements.
	 * @param value an instance
	 * @return false for one without an order of its own
	 * @throws PathException if the order is any other
	 */
	public boolean isReversed(Object value) {
		return this.reversed != null && SortOrder.isReversed(comparator(value));
	}

	private static @Nullable Comparator<?> comparator(Object value) {
		if (value instanceof SortedSet<?> sorted) {
			return sorted.comparator();
		}
		return (value instanceof PriorityQueue<?> queue) ? queue.comparator()
				: ((PriorityBlockingQueue<?>) value).comparator();
	}

	/**
	 * What to write for a value. Where a queue of any kind is declared a priority queue
	 * arrives as a plain one, so that its elements are written as they would be polled.
	 * @param value an instance
	 * @return its elements
	 * @throws PathException if it cannot be carried
	 */
	public Collection<?> prepare(Collection<?> value) {
		if (this.type == LinkedBlockingQueue.class || this.type == LinkedBlockingDeque.class) {
			requireUnbounded((BlockingQueue<?>) value);
		}
		if (this.type.isInterface() && (value instanceof PriorityQueue || value instanceof PriorityBlockingQueue)) {
			return polled(value);
		}
		return value;
	}

	private static void requireUnbounded(BlockingQueue<?> queue) {
		if (queue.remainingCapacity() < UNBOUNDED) {
			throw new PathException("a queue of capacity %d (expected: no capacity, because it cannot be carried)"
				.formatted(queue.size() + queue.remainingCapacity()));
		}
	}

	@SuppressWarnings("unchecked")
	private static Collection<?> polled(Collection<?> queue) {
		Object[] elements = queue.toArray();
		Arrays.sort(elements, (Comparator<Object>) comparator(queue));
		return Arrays.asList(elements);
	}

	/**
	 * Refuse a null element that cannot be held.
	 * @throws PathException if none can
	 */
	public void requireHoldsNull() {
		if (!this.holdsNull) {
			throw new PathException(
					"null, or a constant that this side does not know (expected: a value, because %s holds no null)"
						.formatted(this.type.getName()));
		}
	}

	/**
	 * Whether what is filled is what arrives, whatever was put into it.
	 * @return true if {@link #finish} does nothing
	 */
	public boolean isKept() {
		return this.finisher == null && !isDistinct();
	}

	/** Make one in reverse order, which any list can keep, too. */
	Collection<@Nullable Object> create(boolean reversed) {
		return (reversed && this.reversed != null) ? this.reversed.get() : this.factory.get();
	}

	/** Finish a filled collection. */
	Collection<@Nullable Object> finish(Collection<@Nullable Object> filled, int elements) {
		if (isDistinct() && filled.size() != elements) {
			throw new PathException(
					"%d elements of which some are equal (expected: %d different ones)".formatted(elements, elements));
		}
		return (this.finisher != null) ? this.finisher.apply(filled) : filled;
	}

}
