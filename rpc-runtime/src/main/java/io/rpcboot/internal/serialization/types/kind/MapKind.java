package io.rpcboot.internal.serialization.types.kind;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Carried type of map. A declared interface arrives as a class that keeps the order of
 * the writer, and holds null if the interface allows it.
 *
 * @param type declared type
 * @param factory creates an empty instance
 * @param reversed creates an instance in reverse of the natural order; null if the type
 * is not sorted
 * @param holdsNullKey true if a key can be null
 * @param holdsNullValue true if a value can be null
 * @param keepsEntries false if an entry may disappear at any time
 */
public record MapKind(Class<?> type, Supplier<Map<@Nullable Object, @Nullable Object>> factory,
		@Nullable Supplier<Map<@Nullable Object, @Nullable Object>> reversed, boolean holdsNullKey,
		boolean holdsNullValue, boolean keepsEntries) {

	private static final Map<Class<?>, MapKind> ALL = all();

	/** Returns the kind of a type; null if it is not carried. */
	public static @Nullable MapKind of(ResolvedType type) {
		if (type.raw() == EnumMap.class && Containers.isOfEnum(type)) {
			Class<?> constants = type.arguments().get(0).raw();
			return new MapKind(EnumMap.class, () -> enumMap(constants), null, false, true, true);
		}
		return ALL.get(type.raw());
	}

	/**
	 * Returns the type with its arguments. {@code Properties}, which has none, gets
	 * strings.
	 */
	public static ResolvedType withArguments(ResolvedType map) {
		ResolvedType text = ResolvedType.of(String.class);
		return (map.raw() == Properties.class) ? new ResolvedType(Properties.class, List.of(text, text)) : map;
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Map<@Nullable Object, @Nullable Object> enumMap(Class<?> constants) {
		return new EnumMap((Class) constants);
	}

	private static Map<Class<?>, MapKind> all() {
		Map<Class<?>, MapKind> all = new HashMap<>();
		add(all, true, LinkedHashMap::new, Map.class, LinkedHashMap.class, Containers.find("java.util.SequencedMap"));
		add(all, true, HashMap::new, HashMap.class);
		add(all, true, IdentityHashMap::new, IdentityHashMap.class);
		add(all, false, Hashtable::new, Hashtable.class);
		add(all, false, Properties::new, Properties.class);
		add(all, false, ConcurrentHashMap::new, ConcurrentMap.class, ConcurrentHashMap.class);
		all.put(WeakHashMap.class, new MapKind(WeakHashMap.class, WeakHashMap::new, null, true, true, false));
		for (Class<?> each : List.of(SortedMap.class, NavigableMap.class, TreeMap.class)) {
			all.put(each, new MapKind(each, TreeMap::new, () -> new TreeMap<>(Collections.reverseOrder()), false, true,
					true));
		}
		for (Class<?> each : List.of(ConcurrentNavigableMap.class, ConcurrentSkipListMap.class)) {
			all.put(each, new MapKind(each, ConcurrentSkipListMap::new,
					() -> new ConcurrentSkipListMap<>(Collections.reverseOrder()), false, false, true));
		}
		return Map.copyOf(all);
	}

	/** Adds types, of which one that is newer than Java 17 may be null. */
	private static void add(Map<Class<?>, MapKind> all, boolean holdsNull,
			Supplier<Map<@Nullable Object, @Nullable Object>> factory, @Nullable Class<?>... types) {
		for (Class<?> each : types) {
			if (each != null) {
				all.put(each, new MapKind(each, factory, null, holdsNull, holdsNull, true));
			}
		}
	}

	/**
	 * Returns true if a map is in the reverse of the natural order. Refuses a map that
	 * its entries do not describe.
	 */
	public boolean isReversed(Object map) {
		if (map instanceof Properties properties && this.type == Properties.class
				&& !properties.keySet().containsAll(properties.stringPropertyNames())) {
			throw new PathException("properties with defaults (expected: none, because they cannot be sent)");
		}
		if (this.reversed != null) {
			return Containers.isReversed(map);
		}
		if (this.type != IdentityHashMap.class) {
			Containers.requireEquals(map);
			Containers.requireScales(map);
		}
		return false;
	}

	/**
	 * Returns the order of a map, which a writer announces. Refuses a map that nothing
	 * can arrive as.
	 */
	public Order order(Object map) {
		Order found = (this.type != IdentityHashMap.class) ? LetterCase.of(map) : null;
		if (found != null && isAnnounced(found)) {
			return found;
		}
		return isReversed(map) ? Order.REVERSED : Order.PLAIN;
	}

	private boolean isAnnounced(Order order) {
		return (order == Order.LOWER_CASE) ? this.type.isAssignableFrom(CaseInsensitiveMap.class)
				: this.type.isAssignableFrom(TreeMap.class) || this.type.isAssignableFrom(ConcurrentSkipListMap.class);
	}

	/** Creates an instance of any order. Refuses one that the type cannot have. */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	public Map<@Nullable Object, @Nullable Object> create(Order order) {
		if (!order.ignoresCase()) {
			return create(order == Order.REVERSED);
		}
		if (!isAnnounced(order)) {
			throw Containers.otherLookUps(this.type);
		}
		if (order == Order.LOWER_CASE) {
			return new CaseInsensitiveMap();
		}
		return this.type.isAssignableFrom(TreeMap.class) ? new TreeMap(String.CASE_INSENSITIVE_ORDER)
				: new ConcurrentSkipListMap(String.CASE_INSENSITIVE_ORDER);
	}

	/**
	 * Creates an instance. A type that is not sorted ignores {@code reversed}, because it
	 * keeps any order.
	 */
	public Map<@Nullable Object, @Nullable Object> create(boolean reversed) {
		return (reversed && this.reversed != null) ? this.reversed.get() : this.factory.get();
	}

	/** Refuses null that the map cannot hold. */
	public void requireHolds(@Nullable Object key, @Nullable Object value) {
		if ((key == null && !this.holdsNullKey) || (value == null && !this.holdsNullValue)) {
			throw new PathException(
					"%s is null, or a constant that this side does not know (expected: a value, because %s holds no null there)"
						.formatted((key == null) ? "the key" : "the value", this.type.getName()));
		}
	}

}
