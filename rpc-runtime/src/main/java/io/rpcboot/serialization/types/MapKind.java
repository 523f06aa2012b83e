package io.rpcboot.serialization.types;

import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A declared type of map.
 *
 * @param type the declared type
 * @param factory makes an empty one
 * @param reversed makes one in reverse of the natural order; null if it is not sorted
 * @param nulls where it can hold null
 * @param keepsEntries false if an entry may be gone at any time
 */
public record MapKind(Class<?> type, Supplier<Map<@Nullable Object, @Nullable Object>> factory,
		@Nullable Supplier<Map<@Nullable Object, @Nullable Object>> reversed, Nulls nulls, boolean keepsEntries) {

	/** Where a map can hold null. */
	public enum Nulls {

		/** Nowhere. */
		NONE,

		/** Not as a key. */
		VALUES,

		/** Anywhere. */
		ALL

	}

	static MapKind of(Class<?> type, Nulls nulls, Supplier<Map<@Nullable Object, @Nullable Object>> factory) {
		return new MapKind(type, factory, null, nulls, true);
	}

	/**
	 * Refuse a map that is more than its entries.
	 * @param map an instance
	 * @return whether it is in the reverse of the natural order
	 * @throws PathException if it cannot be carried
	 */
	public boolean isReversed(Object map) {
		if (map instanceof Properties properties && this.type == Properties.class
				&& !properties.keySet().containsAll(properties.stringPropertyNames())) {
			throw new PathException("properties with defaults (expected: none, because they cannot be carried)");
		}
		return this.reversed != null && SortOrder.isReversed(((SortedMap<?, ?>) map).comparator());
	}

	/**
	 * Make one, in reverse order if need be, which a map that keeps its order can keep,
	 * too.
	 */
	Map<@Nullable Object, @Nullable Object> create(boolean reversed) {
		return (reversed && this.reversed != null) ? this.reversed.get() : this.factory.get();
	}

	/** Refuse a null that cannot be held. */
	void requireHolds(@Nullable Object key, @Nullable Object value) {
		if ((key == null && this.nulls != Nulls.ALL) || (value == null && this.nulls == Nulls.NONE)) {
			throw new PathException(
					"%s is null, or a constant that this side does not know (expected: a value, because %s holds no null there)"
						.formatted((key == null) ? "the key" : "the value", this.type.getName()));
		}
	}

}
