package io.rpcboot.evolution;

import java.util.List;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Collections, maps and optionals whose kind or content changes.
 */
final class ContainerRows {

	private ContainerRows() {
	}

	static List<EvolutionRow> rows() {
		return List.of(
				change("kinds of collection exchanged",
						"""
								class User { List<Integer> a = new ArrayList<>(List.of(3, 1)); Set<String> b = new LinkedHashSet<>(List.of("y", "x"));
									Collection<Integer> c = new ArrayList<>(); TreeSet<Integer> d = new TreeSet<>(List.of(2, 1)); List<Integer> e; }
								""",
						"""
								class User { Set<Integer> a = new LinkedHashSet<>(List.of(5, 4)); List<String> b = new ArrayList<>(List.of("v", "w"));
									LinkedList<Integer> c = new LinkedList<>(List.of(7)); HashSet<Integer> d = new HashSet<>(List.of(8)); Set<Integer> e; }
								""",
						"User{a=LinkedHashSet[3, 1], b=['y', 'x'], c=LinkedList[], d=HashSet[1, 2], e=null}",
						"User{a=[5, 4], b=LinkedHashSet['v', 'w'], c=[7], d=TreeSet[8], e=null}"),
				change("kinds of map exchanged",
						"class User { Map<String, Integer> a = new LinkedHashMap<>(Map.of(\"x\", 1)); TreeMap<Integer, String> b = new TreeMap<>(Map.of(2, \"b\", 1, \"a\")); }",
						"class User { SortedMap<String, Long> a = new TreeMap<>(Map.of(\"z\", 3L, \"y\", 2L)); HashMap<Long, String> b = new HashMap<>(Map.of(5L, \"e\")); }",
						"User{a=TreeMap{'x'=1L}, b=HashMap{1L='a', 2L='b'}}",
						"User{a={'y'=2, 'z'=3}, b=TreeMap{5='e'}}"),
				change("list with equal elements becomes a set",
						"class User { List<Integer> a = new ArrayList<>(List.of(1, 2, 1)); }",
						"class User { Set<Integer> a = new LinkedHashSet<>(List.of(1)); }",
						ERROR + ".a: 3 elements of which some are equal", "User{a=[1]}"),
				change("list with null becomes a sorted set",
						"class User { List<Integer> a = new ArrayList<>(Arrays.asList(1, null)); }",
						"class User { SortedSet<Integer> a = new TreeSet<>(List.of(1)); }", ERROR + ".a[1]: ",
						"User{a=[1]}"),
				change("elements widened",
						"class User { List<Integer> a = new ArrayList<>(Arrays.asList(1, null)); Map<Short, Optional<Byte>> b = new LinkedHashMap<>(Map.of((short) 1, Optional.of((byte) 2))); }",
						"class User { List<Long> a = new ArrayList<>(List.of(3L)); Map<Integer, Optional<Integer>> b = new LinkedHashMap<>(Map.of(4, Optional.empty())); }",
						"User{a=[1L, null], b={1=Optional[2]}}", "User{a=[3], b={4s=Optional[]}}"),
				change("element that does not fit", "class User { List<List<Integer>> a = new ArrayList<>(); }",
						"class User { List<List<Long>> a = new ArrayList<>(List.of(new ArrayList<>(List.of(1L, 1L << 40)))); }",
						"User{a=[]}",
						ERROR + ".a[0][1]: number 1099511627776, which the other side declares as java.lang.Long (expected: java.lang.Integer)"),
				refused("collection becomes a map", "class User { List<Integer> a; }",
						"class User { Map<Integer, Integer> a; }",
						"field a of evolution.Api$User: java.util.List<java.lang.Integer> at the client, java.util.Map<java.lang.Integer,java.lang.Integer> at the server",
						"field a of evolution.Api$User: java.util.Map<java.lang.Integer,java.lang.Integer> at the client, java.util.List<java.lang.Integer> at the server"),
				refused("element becomes optional", "class User { List<Integer> a; }",
						"class User { List<Optional<Integer>> a; }",
						"field a of evolution.Api$User: java.util.List<java.lang.Integer> at the client, java.util.List<java.util.Optional<java.lang.Integer>> at the server",
						"field a of evolution.Api$User: java.util.List<java.util.Optional<java.lang.Integer>> at the client, java.util.List<java.lang.Integer> at the server"),
				change("collections of changed classes as argument and result", """
						record Point(int x) { }
						List<Point> exchange(List<Point> value);
						static Object value() { return new ArrayList<>(Arrays.asList(new Point(1), null)); }
						""",
						"""
								record Point(int y, int x) { }
								Set<Point> exchange(Set<Point> value);
								static Object value() { return new LinkedHashSet<>(Arrays.asList(new Point(9, 2), new Point(9, 3))); }
								""",
						"LinkedHashSet[Point{y=0, x=1}, null]", "[Point{x=2}, Point{x=3}]"));
	}

}
