package io.rpcboot.serialization.protostuff;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A declared kind of collection of a closed world. Immutable and thread-safe.
 */
public final class ServiceCollection {

	private final Class<?> type;

	private final Supplier<Collection<@Nullable Object>> factory;

	private ServiceCollection(Class<?> type, Supplier<Collection<@Nullable Object>> factory) {
		this.type = type;
		this.factory = factory;
	}

	static @Nullable ServiceCollection of(Class<?> type) {
		Supplier<Collection<@Nullable Object>> factory = Containers.collection(type);
		return (factory != null) ? new ServiceCollection(type, factory) : null;
	}

	/**
	 * The declared class.
	 * @return a class or interface
	 */
	public Class<?> javaType() {
		return this.type;
	}

	/**
	 * Whether a value is kept in the reverse of the natural order.
	 * @param value an instance
	 * @return true if so, false for one without an order of its own
	 * @throws SerializationException if the order is any other
	 */
	public boolean isReversed(Object value) {
		return SortedSet.class.isAssignableFrom(this.type) && isReversed(((SortedSet<?>) value).comparator());
	}

	static boolean isReversed(@Nullable Comparator<?> comparator) {
		if (comparator == null || comparator.equals(Comparator.naturalOrder())) {
			return false;
		}
		if (comparator.equals(Collections.reverseOrder())) {
			return true;
		}
		throw new SerializationException(
				"sorted by %s (expected: the natural order or its reverse, which alone can be carried)"
					.formatted(comparator.getClass().getName()));
	}

	/**
	 * What is written for a value.
	 * @param value an instance
	 * @return its elements
	 */
	public Collection<?> elements(Object value) {
		return (Collection<?>) value;
	}

	/**
	 * Make an empty collection.
	 * @param reversed whether its order is the reverse of the natural one
	 * @return what is to be filled and then finished
	 */
	public Collection<@Nullable Object> create(boolean reversed) {
		return (reversed && SortedSet.class.isAssignableFrom(this.type)) ? new TreeSet<>(Collections.reverseOrder())
				: this.factory.get();
	}

	/**
	 * Add an element that arrived.
	 * @param filled made by {@link #create}
	 * @param element the element
	 * @throws SerializationException if the collection cannot hold it
	 */
	public void add(Collection<@Nullable Object> filled, @Nullable Object element) {
		filled.add(element);
	}

	/**
	 * Finish a collection.
	 * @param filled made by {@link #create}
	 * @param elements how many were added
	 * @return what arrives
	 * @throws SerializationException if equal elements were added to a set
	 */
	public Object finish(Collection<@Nullable Object> filled, int elements) {
		if (Set.class.isAssignableFrom(this.type) && filled.size() != elements) {
			throw new SerializationException(
					"%d elements of which some are equal (expected: %d different ones)".formatted(elements, elements));
		}
		return filled;
	}

}
