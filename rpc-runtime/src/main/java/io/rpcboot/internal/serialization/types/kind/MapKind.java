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
 * A declared type of map that is carried. An interface arrives as a class that holds
 * null, if it may, and keeps the order of the writer.
 *
 * @param type the declared type
 * @param factory makes an empty one
 * @param reversed makes one in reverse of the natural order; null if it is not sorted
 * @param holdsNullKey whether a key can be null
 * @param holdsNullValue whether a value can be null
 * @param keepsEntries false if an entry may be gone at any time
 */
public record MapKind(Class<?> type, Supplier<Map<@Nullable Object, @Nullable Object>> factory,
		@Nullable Supplier<Map<@Nullable Object, @Nullable Object>> reversed, boolean holdsNullKey,
		boolean holdsNullValue, boolean keepsEntries) {

	private static final Map<Class<?>, MapKind> ALL = all();

	/** The kind of a type; null if it is none that is carried. */
	public static @Nullable MapKind of(ResolvedType type) {
		if (type.raw() == EnumMap.class && Containers.isOfEnum(type)) {
			Class<?> constants = type.arguments().get(0).raw();
			return new MapKind(EnumMap.class, () -> enumMap(constants), null, false, true, true);
		}
		return ALL.get(type.raw());
	}

	/** The same, but {@code Properties}, which has none, with strings. */
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

	/** A type that came after Java 17 may be missing. */
	private static void add(Map<Class<?>, MapKind> all, boolean holdsNull,
			Supplier<Map<@Nullable Object, @Nullable Object>> factory, @Nullable Class<?>... types) {
		for (Class<?> each : types) {
			if (each != null) {
				all.put(each, new MapKind(each, factory, null, holdsNull, holdsNull, true));
			}
		}
	}

	/**
	 * Whether a map is in the reverse of the natural order; refuses one that is more than
	 * its entries.
	 */
	public boolean isReversed(Object map) {
		if (map instanceof Properties properties && this.type == Properties.class
				&& !properties.keySet().containsAll(properties.stringPropertyNames())) {
			throw new PathException("properties with defaults (expected: none, because they cannot be carried)");
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
	 * Make one, in reverse order if need be, which a map that keeps its order can keep,
	 * too.
	 */
	public Map<@Nullable Object, @Nullable Object> create(boolean reversed) {
		return (reversed && this.reversed != null) ? this.reversed.get() : this.factory.get();
	}

	/** Refuse a null that cannot be held. */
	public void requireHolds(@Nullable Object key, @Nullable Object value) {
		if ((key == null && !this.holdsNullKey) || (value == null && !this.holdsNullValue)) {
			throw new PathException(
					"%s is null, or a constant that this side does not know (expected: a value, because %s holds no null there)"
						.formatted((key == null) ? "the key" : "the value", this.type.getName()));
		}
	}

}
