package io.rpcboot.serialization.types;

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

import io.rpcboot.serialization.types.MapKind.Nulls;

import org.jspecify.annotations.Nullable;

/**
 * Which declared types of map are carried, and what each arrives as. An interface arrives
 * as a class that holds null, if it may, and keeps the order of the writer.
 */
final class MapKinds {

	private static final Map<Class<?>, MapKind> ALL = all();

	private MapKinds() {
	}

	/** The kind of a type; null if it is none that is carried. */
	static @Nullable MapKind of(ResolvedType type) {
		if (type.raw() == EnumMap.class && Containers.isOfEnum(type)) {
			Class<?> constants = type.arguments().get(0).raw();
			return MapKind.of(EnumMap.class, Nulls.VALUES, () -> enumMap(constants));
		}
		return ALL.get(type.raw());
	}

	/** The same, but {@code Properties}, which has none, with strings. */
	static ResolvedType withArguments(ResolvedType map) {
		ResolvedType text = ResolvedType.of(String.class);
		return (map.raw() == Properties.class) ? new ResolvedType(Properties.class, List.of(text, text)) : map;
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static Map<@Nullable Object, @Nullable Object> enumMap(Class<?> constants) {
		return new EnumMap((Class) constants);
	}

	private static Map<Class<?>, MapKind> all() {
		Map<Class<?>, MapKind> all = new HashMap<>();
		put(all, Nulls.ALL, LinkedHashMap::new, Map.class, LinkedHashMap.class,
				Containers.find("java.util.SequencedMap"));
		put(all, Nulls.ALL, HashMap::new, HashMap.class);
		put(all, Nulls.ALL, IdentityHashMap::new, IdentityHashMap.class);
		put(all, Nulls.NONE, Hashtable::new, Hashtable.class);
		put(all, Nulls.NONE, Properties::new, Properties.class);
		put(all, Nulls.NONE, ConcurrentHashMap::new, ConcurrentMap.class, ConcurrentHashMap.class);
		all.put(WeakHashMap.class, new MapKind(WeakHashMap.class, WeakHashMap::new, null, Nulls.ALL, false));
		for (Class<?> each : List.of(SortedMap.class, NavigableMap.class, TreeMap.class)) {
			all.put(each, new MapKind(each, TreeMap::new, () -> new TreeMap<>(Collections.reverseOrder()), Nulls.VALUES,
					true));
		}
		for (Class<?> each : List.of(ConcurrentNavigableMap.class, ConcurrentSkipListMap.class)) {
			all.put(each, new MapKind(each, ConcurrentSkipListMap::new,
					() -> new ConcurrentSkipListMap<>(Collections.reverseOrder()), Nulls.NONE, true));
		}
		return Map.copyOf(all);
	}

	private static void put(Map<Class<?>, MapKind> all, Nulls nulls,
			Supplier<Map<@Nullable Object, @Nullable Object>> factory, @Nullable Class<?>... types) {
		for (Class<?> each : types) {
			if (each != null) {
				all.put(each, MapKind.of(each, nulls, factory));
			}
		}
	}

}
