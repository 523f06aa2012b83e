package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collection;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A declared kind of collection of a closed world. Immutable and thread-safe.
 */
public final class ServiceCollection {

	private static final int ELEMENTS = 64;

	private final CollectionKind kind;

	/** Whether elements whose hash codes were chosen to be equal could come. */
	private final boolean isChecked;

	private final Sizes sizes;

	ServiceCollection(CollectionKind kind, boolean isChecked, Sizes sizes) {
		this.kind = kind;
		this.isChecked = isChecked;
		this.sizes = sizes;
	}

	/**
	 * The declared class.
	 * @return a class or interface
	 */
	public Class<?> javaType() {
		return this.kind.type();
	}

	/**
	 * Whether a value is kept in the reverse of the natural order.
	 * @param value an instance
	 * @return true if so, false for one without an order of its own
	 * @throws SerializationException if the order is any other
	 */
	public boolean isReversed(Object value) {
		try {
			return this.kind.isReversed(value);
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
	}

	/**
	 * What is written for a value.
	 * @param value an instance
	 * @return its elements
	 * @throws SerializationException if it cannot be carried
	 */
	public Collection<?> elements(Object value) {
		try {
			return this.kind.prepare((Collection<?>) value);
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
	}

	/**
	 * Begin a collection.
	 * @param budget of the message
	 * @param reversed whether its order is the reverse of the natural one
	 * @return what takes the elements
	 * @throws SerializationException if the budget is used up
	 */
	public Elements begin(ReadBudget budget, boolean reversed) {
		long start = budget.size();
		budget.charge(ELEMENTS + this.sizes.empty());
		if (this.isChecked) {
			return new Elements(budget, start, new ArrayList<>());
		}
		return new Elements(budget, start, reversed ? this.kind.createReversed() : this.kind.factory().get());
	}

	/**
	 * The elements of a collection that arrives. For one thread.
	 */
	public final class Elements {

		private final ReadBudget budget;

		private final long start;

		private final Collection<@Nullable Object> filled;

		private int count;

		private Elements(ReadBudget budget, long start, Collection<@Nullable Object> filled) {
			this.budget = budget;
			this.start = start;
			this.filled = filled;
		}

		/**
		 * Add an element that arrived.
		 * @param element the element
		 * @throws SerializationException if the collection cannot hold it or the budget
		 * is used up
		 */
		public void add(@Nullable Object element) {
			Sizes sizes = ServiceCollection.this.sizes;
			this.budget.charge(sizes.element() + ((this.count == 0) ? sizes.first() - sizes.empty() : 0));
			this.count++;
			try {
				if (element == null) {
					ServiceCollection.this.kind.requireHoldsNull();
				}
				this.filled.add(element);
			}
			catch (PathException ex) {
				throw ValueForm.failure(ex);
			}
		}

		/**
		 * Finish the collection.
		 * @return what arrives
		 * @throws SerializationException if equal elements were added to a set, or too
		 * many have equal hash codes
		 */
		public Object finish() {
			CollectionKind kind = ServiceCollection.this.kind;
			try {
				if (!ServiceCollection.this.isChecked) {
					return kind.finish(this.filled, this.count);
				}
				this.budget.compare(this.start, this.filled);
				Collection<@Nullable Object> set = kind.factory().get();
				set.addAll(this.filled);
				return kind.finish(set, this.count);
			}
			catch (PathException ex) {
				throw ValueForm.failure(ex);
			}
		}

	}

}
