package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collection;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A declared kind of collection of a closed world. Immutable and thread-safe.
 */
public final class ServiceCollection {

	private final CollectionKind kind;

	/** Whether elements whose hash codes were chosen to be equal could come. */
	private final boolean isChecked;

	ServiceCollection(CollectionKind kind, boolean isChecked) {
		this.kind = kind;
		this.isChecked = isChecked;
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
	 * Make an empty collection.
	 * @param reversed whether its order is the reverse of the natural one
	 * @return what is to be filled and then finished
	 */
	public Collection<@Nullable Object> create(boolean reversed) {
		if (this.isChecked) {
			return new ArrayList<>();
		}
		return reversed ? this.kind.createReversed() : this.kind.factory().get();
	}

	/**
	 * Add an element that arrived.
	 * @param filled made by {@link #create}
	 * @param element the element
	 * @throws SerializationException if the collection cannot hold it
	 */
	public void add(Collection<@Nullable Object> filled, @Nullable Object element) {
		try {
			if (element == null) {
				this.kind.requireHoldsNull();
			}
			filled.add(element);
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
	}

	/**
	 * Finish a collection.
	 * @param filled made by {@link #create}
	 * @param elements how many were added
	 * @return what arrives
	 * @throws SerializationException if equal elements were added to a set
	 */
	public Object finish(Collection<@Nullable Object> filled, int elements) {
		try {
			if (!this.isChecked) {
				return this.kind.finish(filled, elements);
			}
			KeyHashes.check(filled);
			Collection<@Nullable Object> set = this.kind.factory().get();
			set.addAll(filled);
			return this.kind.finish(set, elements);
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
	}

}
