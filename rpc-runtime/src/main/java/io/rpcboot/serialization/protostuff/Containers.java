package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Which declared kinds of collection and map are carried, and what each arrives as. An
 * interface arrives as the class that keeps the order of the writer.
 */
final class Containers {

	private Containers() {
	}

	static @Nullable Supplier<Collection<@Nullable Object>> collection(Class<?> declared) {
		if (declared == Collection.class || declared == List.class || declared == ArrayList.class) {
			return ArrayList::new;
		}
		if (declared == Set.class || declared == LinkedHashSet.class) {
			return LinkedHashSet::new;
		}
		if (declared == LinkedList.class) {
			return LinkedList::new;
		}
		if (declared == HashSet.class) {
			return HashSet::new;
		}
		if (declared == SortedSet.class || declared == NavigableSet.class || declared == TreeSet.class) {
			return TreeSet::new;
		}
		return null;
	}

	static @Nullable Supplier<Map<@Nullable Object, @Nullable Object>> map(Class<?> declared) {
		if (declared == Map.class || declared == LinkedHashMap.class) {
			return LinkedHashMap::new;
		}
		if (declared == HashMap.class) {
			return HashMap::new;
		}
		if (declared == SortedMap.class || declared == NavigableMap.class || declared == TreeMap.class) {
			return TreeMap::new;
		}
		return null;
	}

}
