package io.rpcboot.serialization.protostuff;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A declared kind of map of a closed world. Immutable and thread-safe.
 */
public final class ServiceMap {

	private final Class<?> type;

	private final Supplier<Map<@Nullable Object, @Nullable Object>> factory;

	private ServiceMap(Class<?> type, Supplier<Map<@Nullable Object, @Nullable Object>> factory) {
		this.type = type;
		this.factory = factory;
	}

	static @Nullable ServiceMap of(Class<?> type) {
		Supplier<Map<@Nullable Object, @Nullable Object>> factory = Containers.map(type);
		return (factory != null) ? new ServiceMap(type, factory) : null;
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
		return SortedMap.class.isAssignableFrom(this.type)
				&& ServiceCollection.isReversed(((SortedMap<?, ?>) value).comparator());
	}

	/**
	 * Make an empty map.
	 * @param reversed whether its order is the reverse of the natural one
	 * @return what is to be filled
	 */
	public Map<@Nullable Object, @Nullable Object> create(boolean reversed) {
		return (reversed && SortedMap.class.isAssignableFrom(this.type)) ? new TreeMap<>(Collections.reverseOrder())
				: this.factory.get();
	}

	/**
	 * Add an entry that arrived.
	 * @param filled made by {@link #create}
	 * @param key the key
	 * @param value the value
	 * @throws SerializationException if the key is there already or cannot be held
	 */
	public void put(Map<@Nullable Object, @Nullable Object> filled, @Nullable Object key, @Nullable Object value) {
		int size = filled.size();
		filled.put(key, value);
		if (filled.size() == size) {
			throw new SerializationException("an equal key twice (expected: different ones)");
		}
	}

}
