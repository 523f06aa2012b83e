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
 * What a container takes on the heap, in bytes, with references of four bytes: close to
 * what a JVM takes and rather more.
 *
 * @param empty one without elements
 * @param first one with room for its first element
 * @param element each element
 */
public record Sizes(int empty, int first, int element) {

	private static final int HEADER = 16;

	/** A reference in an array that has grown, and in those that it has outgrown. */
	private static final int REFERENCE = 18;

	private static final int LINKED_NODE = 24;

	private static final int TREE_NODE = 40;

	/** An entry of a LinkedHashMap, and its share in tables that grew. */
	private static final int HASH_NODE = 40 + 24;

	/** An element that is gathered before it gets into a table, and its hash. */
	private static final int GATHERED = 2 * REFERENCE + 4;

	/** What gathers, two lists, and the first arrays of these. */
	private static final int GATHERING = 72;

	private static final int GATHERING_ARRAYS = 112;

	private static final int FIRST_ARRAY = 56;

	private static final int FIRST_TABLE = 80;

	/**
	 * Of those kinds that nobody sends by the thousand: locks and what else they have.
	 */
	private static final int RARE = 360;

	/** Of a kind of collection or map, whose elements may be gathered first. */
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

	/** The same with elements that have a weight of their own. */
	public Sizes plus(int weight) {
		return new Sizes(this.empty, this.first, this.element + weight);
	}

	/** What the next element takes, behind as many. */
	public int next(int count) {
		return this.element + ((count == 0) ? this.first - this.empty : 0);
	}

	/** The same and another container, whatever its class, into which it is copied. */
	public Sizes copied() {
		return new Sizes(this.empty, this.first + FIRST_TABLE, this.element + HASH_NODE);
	}

	/** An instance of a class. */
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
