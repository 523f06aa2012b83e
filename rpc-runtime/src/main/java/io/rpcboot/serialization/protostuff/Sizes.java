package io.rpcboot.serialization.protostuff;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What objects take on the heap, in bytes, with references of four bytes: close to what a
 * JVM takes and rather more.
 */
final class Sizes {

	/** An entry of a LinkedHashMap, and its share in tables that grew. */
	static final int ENTRY = 40 + 24;

	/**
	 * A key that is gathered before it gets into a table, with its value and its hash.
	 */
	static final int GATHERED = 2 * 18 + 4;

	private static final int HEADER = 16;

	/** A reference in an array that has grown, and in those that it has outgrown. */
	private static final int REFERENCE = 18;

	private static final int NODE = 24;

	private static final int TREE_NODE = 40;

	private static final int FIRST_ARRAY = 56;

	private static final int FIRST_TABLE = 80;

	private Sizes() {
	}

	/** An empty collection or map with the objects that it consists of. */
	static int empty(Class<?> container) {
		if (List.class.isAssignableFrom(container) || container == Collection.class) {
			return 32;
		}
		return Map.class.isAssignableFrom(container) ? 56 : 72;
	}

	/** What a container allocates for its first element. */
	static int first(Class<?> container) {
		if (LinkedList.class.isAssignableFrom(container) || SortedSet.class.isAssignableFrom(container)
				|| SortedMap.class.isAssignableFrom(container)) {
			return 0;
		}
		return (List.class.isAssignableFrom(container) || container == Collection.class) ? FIRST_ARRAY : FIRST_TABLE;
	}

	/** What an element takes in a kind of collection. */
	static int slot(Class<?> collection) {
		if (SortedSet.class.isAssignableFrom(collection)) {
			return TREE_NODE;
		}
		if (Set.class.isAssignableFrom(collection)) {
			return ENTRY;
		}
		return LinkedList.class.isAssignableFrom(collection) ? NODE : REFERENCE;
	}

	/** An instance, with the arrays of arguments of its constructor. */
	static int of(Class<?> type) {
		int size = HEADER;
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			for (java.lang.reflect.Field field : each.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers())) {
					size += size(field.getType());
				}
			}
		}
		return size;
	}

	private static int size(Class<?> field) {
		return (field == long.class || field == double.class) ? Long.BYTES : Integer.BYTES;
	}

}
