package io.rpcboot.serialization.protostuff;

import java.lang.reflect.Modifier;
import java.util.LinkedList;
import java.util.Set;
import java.util.SortedSet;

/**
 * What objects take on the heap, in bytes, with references of four bytes: close to what a
 * JVM takes and rather more.
 */
final class Sizes {

	/** An empty collection or map: a LinkedHashSet and what it consists of. */
	static final int CONTAINER = 72;

	/** What a container allocates for its first element. */
	static final int FIRST_TABLE = 80;

	/** An entry of a LinkedHashMap, and its share in tables that grew. */
	static final int ENTRY = 40 + 24;

	private static final int HEADER = 16;

	/** A reference in an array that has grown, and in those that it has outgrown. */
	private static final int REFERENCE = 18;

	private static final int NODE = 24;

	private static final int TREE_NODE = 40;

	private Sizes() {
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
