package io.rpcboot.serialization.zoo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.serialization.protostuff.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.row;
import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * Every kind of collection.
 */
final class CollectionRows {

	/** For collections without equals, or with one that leaves out the order. */
	private static final Function<Collection<?>, Object> IN_ORDER = ArrayList::new;

	private CollectionRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(
				row("List<String>", List.of(), List.of("a", "", "中"), Arrays.asList("a", null, null, "b"),
						Arrays.asList((String) null), new ArrayList<>(List.of("x")),
						new LinkedList<>(List.of("x", "y")), Collections.nCopies(1000, "n")),
				row("ArrayList<Integer>", new ArrayList<>(List.of(1, -1)), new ArrayList<Integer>()),
				row("LinkedList<Integer>", new LinkedList<>(Arrays.asList(1, null)), new LinkedList<Integer>()),
				rowBy(IN_ORDER, "Collection<Long>", new ArrayList<>(List.of(1L, 2L)), List.of()),
				row("List<List<List<Integer>>>", List.of(), List.of(List.of()),
						List.of(List.of(List.of()), List.of(List.of(1), List.of(2, 3)), List.of()),
						Arrays.asList(null, Arrays.asList(null, Arrays.asList(1, null)), List.of(List.of(4)))),
				rowBy(IN_ORDER, "Set<String>", Set.of(), Set.of("a", "b"),
						new LinkedHashSet<>(Arrays.asList("z", null, "a"))),
				row("HashSet<Point>", new HashSet<>(List.of(new Point(1, 2))), new HashSet<Point>()),
				rowBy(IN_ORDER, "LinkedHashSet<Integer>", new LinkedHashSet<>(Arrays.asList(3, null, 1))),
				row("TreeSet<String>", new TreeSet<>(List.of("b", "a"))),
				row("SortedSet<Integer>", new TreeSet<>(List.of(3, 1, 2)), new TreeSet<Integer>()),
				row("NavigableSet<Integer>", new TreeSet<>(List.of(3, 1, 2))));
	}

}
