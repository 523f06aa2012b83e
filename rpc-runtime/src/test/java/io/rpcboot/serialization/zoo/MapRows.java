package io.rpcboot.serialization.zoo;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.serialization.protostuff.ZooTypes.Colour;
import io.rpcboot.serialization.protostuff.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.row;
import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * Every kind of map.
 */
final class MapRows {

	private static final Function<Map<?, ?>, Object> IN_ORDER = (map) -> new ArrayList<>(map.entrySet());

	private MapRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(rowBy(IN_ORDER, "Map<String, Integer>", Map.of(), Map.of("a", 1, "b", 2), nulls()),
				row("HashMap<Long, Boolean>", new HashMap<>(Map.of(1L, true)), new HashMap<>()),
				rowBy(IN_ORDER, "LinkedHashMap<String, Integer>", nulls(), new LinkedHashMap<>()),
				row("Map<Point, List<Map<Colour, String>>>",
						Map.of(new Point(1, 1), List.of(Map.of(Colour.RED, "r"), Map.of())),
						Map.of(new Point(0, 0), List.of())),
				row("TreeMap<String, String>", new TreeMap<>(Map.of("b", "1", "a", "2"))),
				row("SortedMap<LocalDate, Point>", new TreeMap<>(Map.of(LocalDate.EPOCH, new Point(1, 2)))),
				row("NavigableMap<Integer, Integer>", new TreeMap<>(Map.of(3, 4, 1, 2))));
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
