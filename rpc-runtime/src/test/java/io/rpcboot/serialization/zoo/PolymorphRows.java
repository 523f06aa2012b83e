package io.rpcboot.serialization.zoo;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooHierarchies.Circle;
import io.rpcboot.serialization.zoo.ZooHierarchies.Failed;
import io.rpcboot.serialization.zoo.ZooHierarchies.Many;
import io.rpcboot.serialization.zoo.ZooHierarchies.Named;
import io.rpcboot.serialization.zoo.ZooHierarchies.Ok;
import io.rpcboot.serialization.zoo.ZooHierarchies.Square;
import io.rpcboot.serialization.zoo.ZooHierarchies.Trailer;
import io.rpcboot.serialization.zoo.ZooHierarchies.Truck;
import io.rpcboot.serialization.zoo.ZooHierarchies.Unit;
import io.rpcboot.serialization.zoo.ZooHierarchies.Vehicle;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;
import io.rpcboot.serialization.zoo.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * Declared types that stand for others: those with subtypes, and those that do not say
 * what arrives.
 */
final class PolymorphRows {

	private PolymorphRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.concat(subtypes(), anything());
	}

	private static Stream<ZooRow> subtypes() {
		return Stream.of(
				row("Shape", new Circle(1.5), Square.of("red"), new Square(), Unit.POINT, Unit.LINE,
						Named.of(new Circle(0), Named.of(), Unit.LINE)),
				row("Polygon", Square.of(null), Named.of(Square.of("blue"))),
				row("Result<Point>", new Ok<>(new Point(1, 2)), new Failed<>("no"), new Ok<>(null)),
				row("Result<List<Point>>", new Many<>(List.of(new Point(1, 2))), new Ok<>(List.of(new Point(3, 4)))),
				row("Result<? extends Number>", new Ok<>(5), new Ok<>(BigInteger.TWO)),
				row("Map<Shape, Result<Shape>>", Map.of(new Circle(1), new Ok<>(Unit.POINT))),
				row("Vehicle", Vehicle.of(4), Truck.of(Truck.of(Vehicle.of(2))), new Trailer()),
				row("Truck", Truck.of(null), new Trailer()));
	}

	private static Stream<ZooRow> anything() {
		return Stream.of(
				row("Object", "text", 1, 2L, (short) 3, (byte) 4, 'c', true, 1.5f, 2.5, new BigDecimal("1.10"),
						BigInteger.TEN, LocalDate.EPOCH, new UUID(1, 2), new byte[] { 1, 2 }, list(), map(),
						new LinkedHashSet<>(Arrays.asList(1, null, "a")), new TreeSet<>(List.of("b", "a")),
						new TreeMap<>(Map.of(2, list(), 1, map())), Optional.of(Optional.empty()), new ArrayList<>(),
						new LinkedHashMap<>(), new Object[] { 1, null, new int[] { 1, -1 } },
						new String[] { "a", null }, new Long[] { 5L }, new double[] { 1.5 }, reversed()),
				row("Pair<Point, Object>", new Pair<>(new Point(1, 2), new Point(3, 4)),
						new Pair<>(null, List.of(new Point(5, 6)))),
				row("Pair<Colour, ?>", new Pair<>(Colour.RED, Colour.BLUE), new Pair<>(null, Map.of(Colour.RED, 1))),
				row("Pair<Record, Point>", new Pair<>(new Point(1, 2), null)),
				row("Pair<? super Point, Shape>", new Pair<>(new Circle(1), Unit.LINE),
						new Pair<>("a", Square.of("b"))),
				row("Number", 1, 2L, (byte) 3, 1.5, new BigDecimal("2.50"), BigInteger.TWO),
				row("CharSequence", "", "text"), row("Comparable<?>", "a", 1, LocalDate.EPOCH),
				row("java.io.Serializable", "a", 1, list(), map()),
				row("Pair<Enum<?>, TimeUnit>", new Pair<>(TimeUnit.DAYS, TimeUnit.HOURS)),
				row("List<?>", list(), List.of()), row("Map<Object, Object>", map(), Map.of()),
				row("TreeMap<Comparable<?>, Object>", new TreeMap<>(Map.of("a", 1, "b", list()))));
	}

	private static ArrayList<Object> list() {
		return new ArrayList<>(Arrays.asList(1, "a", null, new ArrayList<>(List.of(2L)), new LinkedHashMap<>()));
	}

	private static TreeSet<Object> reversed() {
		TreeSet<Object> set = new TreeSet<>(Collections.reverseOrder());
		set.addAll(List.of("a", "b"));
		return set;
	}

	private static LinkedHashMap<Object, Object> map() {
		LinkedHashMap<Object, Object> map = new LinkedHashMap<>();
		map.put("text", new ArrayList<>(List.of(1)));
		map.put(1, null);
		map.put(1L, "long");
		map.put(LocalDate.EPOCH, 2.5);
		return map;
	}

}
