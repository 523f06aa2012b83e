package io.rpcboot.serialization.protostuff;

import java.util.Map;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A declared kind of map of a closed world. Immutable and thread-safe.
 */
public final class ServiceMap {

	private final MapKind kind;

	ServiceMap(MapKind kind) {
		this.kind = kind;
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
	 * Make an empty map.
	 * @param reversed whether its order is the reverse of the natural one
	 * @return what is to be filled
	 */
	public Map<@Nullable Object, @Nullable Object> create(boolean reversed) {
		return reversed ? this.kind.createReversed() : this.kind.factory().get();
	}

	/**
	 * Add an entry that arrived.
	 * @param filled made by {@link #create}
	 * @param key the key
	 * @param value the value
	 * @throws SerializationException if the key is there already or cannot be held
	 */
	public void put(Map<@Nullable Object, @Nullable Object> filled, @Nullable Object key, @Nullable Object value) {
		try {
			if (key == null || value == null) {
				this.kind.requireHolds(key, value);
			}
		}
		catch (PathException ex) {
			throw ValueForm.failure(ex);
		}
		int size = filled.size();
		filled.put(key, value);
		if (filled.size() == size && this.kind.keepsEntries()) {
			throw new SerializationException("an equal key twice (expected: different ones)");
		}
	}

}
