package io.rpcboot.serialization.zoo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.row;
import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * Lists and sets. Null, a null element and no elements are three things.
 */
final class CollectionRows {

	/** For collections without equals, or with one that leaves out the order. */
	static final Function<Collection<?>, Object> IN_ORDER = ArrayList::new;

	private CollectionRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(lists(), sets(), sequenced()).flatMap((rows) -> rows);
	}

	private static Stream<ZooRow> lists() {
		return Stream.of(
				row("List<String>", List.of(), List.of("a", "", "中"), Arrays.asList("a", null, null, "b"),
						Arrays.asList((String) null), new ArrayList<>(List.of("x")),
						new LinkedList<>(List.of("x", "y")), Collections.nCopies(1000, "n"), Collections.emptyList(),
						Collections.unmodifiableList(Arrays.asList("u", null)), Collections.singletonList(null),
						List.of("a", "b", "c").subList(1, 2), Stream.of("s", null).toList()),
				row("ArrayList<Integer>", new ArrayList<>(List.of(1, -1)), new ArrayList<Integer>(),
						new ArrayList<>(Arrays.asList(null, 1))),
				row("LinkedList<Integer>", new LinkedList<>(Arrays.asList(1, null)), new LinkedList<Integer>()),
				row("Vector<Integer>", new Vector<>(Arrays.asList(1, null)), new Vector<Integer>()),
				row("Stack<String>", stack(), new Stack<>()),
				row("CopyOnWriteArrayList<Integer>", new CopyOnWriteArrayList<>(Arrays.asList(1, null)),
						new CopyOnWriteArrayList<>()),
				rowBy(IN_ORDER, "Collection<Long>", new ArrayList<>(List.of(1L, 2L)), List.of(), Set.of(3L),
						new TreeSet<>(List.of(2L, 1L)).descendingSet(), Map.of("a", 1L).values()),
				row("List<List<List<Integer>>>", List.of(), List.of(List.of()),
						List.of(List.of(List.of()), List.of(List.of(1), List.of(2, 3)), List.of()),
						Arrays.asList(null, Arrays.asList(null, Arrays.asList(1, null)), List.of(List.of(4)))));
	}

	private static Stream<ZooRow> sets() {
		return Stream.of(
				rowBy(IN_ORDER, "Set<String>", Set.of(), Set.of("a", "b"),
						new LinkedHashSet<>(Arrays.asList("z", null, "a")), new TreeMap<>(Map.of("k", 1)).keySet(),
						new TreeSet<>(Set.of("b", "a")), Collections.unmodifiableSet(new HashSet<>())),
				row("HashSet<Point>", new HashSet<>(Arrays.asList(new Point(1, 2), null)), new HashSet<Point>()),
				rowBy(IN_ORDER, "LinkedHashSet<Integer>", new LinkedHashSet<>(Arrays.asList(3, null, 1)),
						new LinkedHashSet<>()),
				row("TreeSet<String>", new TreeSet<>(List.of("b", "a")), new TreeSet<>(), reversed("a", "b"),
						reversed()),
				row("SortedSet<Integer>", new TreeSet<>(List.of(3, 1, 2)), new TreeSet<>(), reversed(1, 2),
						new TreeSet<>(List.of(1, 2, 3)).headSet(3), Collections.unmodifiableSortedSet(reversed(1, 2))),
				row("NavigableSet<Integer>", new TreeSet<>(List.of(3, 1, 2)), reversed(1, 2).descendingSet(),
						new ConcurrentSkipListSet<>(List.of(1, 2)).descendingSet()),
				row("List<TreeSet<Integer>>", List.of(new TreeSet<>(), reversed(), reversed(1, 2))),
				row("ConcurrentSkipListSet<Integer>", new ConcurrentSkipListSet<>(List.of(2, 1)), skipList(1, 2)),
				rowBy(IN_ORDER, "CopyOnWriteArraySet<String>", new CopyOnWriteArraySet<>(Arrays.asList("b", null, "a")),
						new CopyOnWriteArraySet<>()),
				row("EnumSet<Colour>", EnumSet.noneOf(Colour.class), EnumSet.of(Colour.BLUE, Colour.RED)),
				row("EnumSet<Character.UnicodeScript>", EnumSet.allOf(Character.UnicodeScript.class),
						EnumSet.noneOf(Character.UnicodeScript.class)));
	}

	/** Types that came with Java 21. */
	private static Stream<ZooRow> sequenced() {
		if (Runtime.version().feature() < 21) {
			return Stream.of();
		}
		return Stream.of(
				rowBy(IN_ORDER, "SequencedCollection<String>", List.of("b", "a"),
						new LinkedHashSet<>(List.of("b", "a")), new LinkedList<>()),
				rowBy(IN_ORDER, "SequencedSet<String>", new LinkedHashSet<>(Arrays.asList("b", null, "a")),
						reversed("a", "b")));
	}

	@SafeVarargs
	@SuppressWarnings("varargs")
	private static <T> TreeSet<T> reversed(T... elements) {
		TreeSet<T> set = new TreeSet<>(Collections.reverseOrder());
		set.addAll(Arrays.asList(elements));
		return set;
	}

	private static ConcurrentSkipListSet<Integer> skipList(Integer... elements) {
		ConcurrentSkipListSet<Integer> set = new ConcurrentSkipListSet<>(Collections.reverseOrder());
		set.addAll(Arrays.asList(elements));
		return set;
	}

	private static Stack<String> stack() {
		Stack<String> stack = new Stack<>();
		stack.push("a");
		stack.push(null);
		return stack;
	}

}
