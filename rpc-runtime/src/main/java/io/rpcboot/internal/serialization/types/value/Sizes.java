package io.rpcboot.internal.serialization.types.value;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Heap size of a container in bytes, with references of four bytes: close to the size in
 * a JVM, rather larger.
 *
 * @param empty size without elements
 * @param first size with the array for the first element
 * @param element size of each element
 */
public record Sizes(int empty, int first, int element) {

	private static final int HEADER = 16;

	/** Size of a reference in an array and in the smaller arrays that it has outgrown. */
	private static final int REFERENCE = 18;

	private static final int LINKED_NODE = 24;

	private static final int TREE_NODE = 40;

	/** Size of an entry of a LinkedHashMap: 40, and its share in tables that grew: 24. */
	private static final int HASH_NODE = 40 + 24;

	/**
	 * Size of an element that is gathered before it gets into a table: two references and
	 * a hash code.
	 */
	private static final int GATHERED = 2 * REFERENCE + 4;

	/** Size of the gatherer: two lists. */
	private static final int GATHERING = 72;

	private static final int GATHERING_ARRAYS = 112;

	private static final int FIRST_ARRAY = 56;

	private static final int FIRST_TABLE = 80;

	/**
	 * Size of rare kinds, with their locks and helpers. Messages do not have thousands of
	 * them.
	 */
	private static final int RARE = 360;

	/**
	 * Returns the sizes of a kind of collection or map.
	 * @param gathered true if elements are gathered first, see {@link KeyHashes}
	 */
	public static Sizes of(Class<?> container, boolean gathered) {
		Sizes direct = ofDirect(container);
		return gathered ? new Sizes(GATHERING + direct.empty, GATHERING + GATHERING_ARRAYS + direct.first,
				GATHERED + direct.element) : direct;
	}

	private static Sizes ofDirect(Class<?> container) {
		if (List.of(List.class, ArrayList.class, Collection.class).contains(container)) {
			return of(24, FIRST_ARRAY, REFERENCE);
		}
		if (container == LinkedList.class) {
			return of(32, 0, LINKED_NODE);
		}
		if (List.of(SortedSet.class, TreeSet.class, SortedMap.class, TreeMap.class).contains(container)) {
			return of(64, 0, TREE_NODE);
		}
		if (List.of(Set.class, HashSet.class, LinkedHashSet.class).contains(container)) {
			return of(72, FIRST_TABLE, HASH_NODE);
		}
		if (List.of(Map.class, HashMap.class, LinkedHashMap.class).contains(container)) {
			return of(56, FIRST_TABLE, HASH_NODE);
		}
		return of(RARE, FIRST_TABLE, HASH_NODE);
	}

	private static Sizes of(int empty, int array, int element) {
		return new Sizes(empty, empty + array, element);
	}

	/**
	 * Returns these sizes with heavier elements.
	 * @param weight size of an element's value, in bytes
	 */
	public Sizes plus(int weight) {
		return new Sizes(this.empty, this.first, this.element + weight);
	}

	/**
	 * Returns the size of the next element.
	 * @param count number of elements before it
	 */
	public int next(int count) {
		return this.element + ((count == 0) ? this.first - this.empty : 0);
	}

	/**
	 * Returns these sizes plus those of another container, of any class, into which this
	 * one is copied.
	 */
	public Sizes copied() {
		return new Sizes(this.empty, this.first + FIRST_TABLE, this.element + HASH_NODE);
	}

	/**
	 * Returns the size of an instance of a class, without the objects that its fields
	 * refer to.
	 */
	public static int of(Class<?> type) {
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
