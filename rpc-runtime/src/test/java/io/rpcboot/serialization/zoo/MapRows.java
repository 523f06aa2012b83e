package io.rpcboot.serialization.zoo;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.row;
import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * Every kind of map.
 */
final class MapRows {

	private static final Function<Map<?, ?>, Object> IN_ORDER = (map) -> new ArrayList<>(map.entrySet());

	/** For maps of keys that are only the same if they are one object. */
	private static final Function<Map<?, ?>, Object> AS_TEXT = (
			map) -> map.entrySet().stream().map(Object::toString).sorted().toList();

	private MapRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(plain(), sorted(), concurrent(), sequenced()).flatMap((rows) -> rows);
	}

	private static Stream<ZooRow> plain() {
		return Stream.of(
				rowBy(IN_ORDER, "Map<String, Integer>", Map.of(), Map.of("a", 1, "b", 2), nulls(),
						Collections.unmodifiableMap(nulls()), Collections.singletonMap(null, null),
						new TreeMap<>(Map.of("b", 1, "a", 2))),
				row("HashMap<Long, Boolean>", new HashMap<>(Map.of(1L, true)), new HashMap<>()),
				rowBy(IN_ORDER, "LinkedHashMap<String, Integer>", nulls(), new LinkedHashMap<>()),
				row("Map<Point, List<Map<Colour, String>>>",
						Map.of(new Point(1, 1), List.of(Map.of(Colour.RED, "r"), Map.of())),
						Map.of(new Point(0, 0), List.of())),
				row("EnumMap<Colour, String>", new EnumMap<>(Colour.class),
						new EnumMap<>(Collections.singletonMap(Colour.BLUE, (String) null))),
				row("Hashtable<String, Integer>", new Hashtable<>(Map.of("a", 1)), new Hashtable<>()),
				row("Properties", properties(), new Properties()),
				rowBy(AS_TEXT, "IdentityHashMap<String, Integer>", identities(), new IdentityHashMap<>()),
				row("WeakHashMap<Colour, String>", new WeakHashMap<>(Map.of(Colour.RED, "a")), new WeakHashMap<>()));
	}

	private static Stream<ZooRow> sorted() {
		return Stream.of(
				row("TreeMap<String, String>", new TreeMap<>(Map.of("b", "1", "a", "2")), new TreeMap<>(), reversed(),
						reversed("a", "b")),
				row("SortedMap<LocalDate, Point>", new TreeMap<>(Map.of(LocalDate.EPOCH, new Point(1, 2)))),
				row("SortedMap<String, String>", reversed("a", "b"), reversed("a", "b").headMap("a"),
						Collections.unmodifiableSortedMap(reversed("a", "b"))),
				row("NavigableMap<Integer, Integer>", new TreeMap<>(Map.of(3, 4, 1, 2)),
						new TreeMap<>(Map.of(3, 4, 1, 2)).descendingMap()),
				row("List<TreeMap<String, String>>", List.of(reversed(), new TreeMap<>(), reversed("a", "b"))));
	}

	private static Stream<ZooRow> concurrent() {
		return Stream.of(
				row("ConcurrentMap<String, Integer>", new ConcurrentHashMap<>(Map.of("a", 1)),
						new ConcurrentHashMap<>()),
				row("ConcurrentHashMap<String, Integer>", new ConcurrentHashMap<>(Map.of("a", 1)),
						new ConcurrentHashMap<>()),
				row("ConcurrentNavigableMap<Integer, Integer>", new ConcurrentSkipListMap<>(Map.of(3, 4, 1, 2)),
						new ConcurrentSkipListMap<>(Map.of(3, 4, 1, 2)).descendingMap()),
				row("ConcurrentSkipListMap<Integer, Integer>", new ConcurrentSkipListMap<>(Map.of(3, 4, 1, 2)),
						new ConcurrentSkipListMap<>(Collections.reverseOrder())));
	}

	/** Types that came with Java 21. */
	private static Stream<ZooRow> sequenced() {
		if (Runtime.version().feature() < 21) {
			return Stream.of();
		}
		return Stream.of(rowBy(IN_ORDER, "SequencedMap<String, Integer>", nulls(), new LinkedHashMap<>()));
	}

	private static TreeMap<String, String> reversed(String... keys) {
		TreeMap<String, String> map = new TreeMap<>(Collections.reverseOrder());
		List.of(keys).forEach((each) -> map.put(each, each));
		return map;
	}

	private static Properties properties() {
		Properties properties = new Properties();
		properties.setProperty("a", "1");
		properties.setProperty("b", "");
		return properties;
	}

	private static IdentityHashMap<String, Integer> identities() {
		IdentityHashMap<String, Integer> map = new IdentityHashMap<>();
		map.put(new String("a"), 1);
		map.put(new String("a"), 2);
		return map;
	}

	private static LinkedHashMap<String, Integer> nulls() {
		LinkedHashMap<String, Integer> map = new LinkedHashMap<>();
		map.put("z", 1);
		map.put(null, 2);
		map.put("a", null);
		map.put("", 0);
		return map;
	}

}
