package io.rpcboot.evolution;

import java.util.List;
import java.util.stream.Stream;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;

/**
 * Constants of enums, which are matched by name; one that the reader does not have is its
 * default or null and never another.
 */
final class EnumRows {

	private static final String OLD = """
			enum Colour { RED, GREEN, BLUE }
			class User { Colour a = Colour.RED; Colour b = Colour.GREEN; Colour c = Colour.BLUE; }
			""";

	private EnumRows() {
	}

	static List<EvolutionRow> rows() {
		return Stream.of(named(), contained()).flatMap(List::stream).toList();
	}

	private static List<EvolutionRow> named() {
		return List.of(change("constant inserted", OLD, """
				enum Colour { RED, YELLOW, GREEN, BLUE }
				class User { Colour a = Colour.YELLOW; Colour b = Colour.GREEN; Colour c = Colour.BLUE; }
				""", "User{a=RED, b=GREEN, c=BLUE}", "User{a=null, b=GREEN, c=BLUE}"),
				change("constant added at the end", OLD, """
						enum Colour { RED, GREEN, BLUE, YELLOW }
						class User { Colour a = Colour.BLUE; Colour b = Colour.YELLOW; Colour c = null; }
						""", "User{a=RED, b=GREEN, c=BLUE}", "User{a=BLUE, b=null, c=null}"),
				change("constant removed", OLD, """
						enum Colour { RED, BLUE }
						class User { Colour a = Colour.BLUE; Colour b = Colour.RED; Colour c = Colour.RED; }
						""", "User{a=RED, b=null, c=BLUE}", "User{a=BLUE, b=RED, c=RED}"),
				change("constants reordered", OLD, """
						enum Colour { BLUE, RED, GREEN }
						class User { Colour a = Colour.BLUE; Colour b = Colour.RED; Colour c = Colour.GREEN; }
						""", "User{a=RED, b=GREEN, c=BLUE}", "User{a=BLUE, b=RED, c=GREEN}"),
				change("constant renamed with an alias", OLD, """
						enum Colour { BLUE, @RpcAlias("RED") ROSE, GREEN { } }
						class User { Colour a = Colour.ROSE; Colour b = Colour.BLUE; Colour c = Colour.GREEN; }
						""", "User{a=ROSE, b=GREEN, c=BLUE}", "User{a=RED, b=BLUE, c=GREEN}"),
				change("default constant", OLD, """
						enum Colour { RED, @RpcEnumDefault OTHER }
						class User { Colour a = Colour.RED; Colour b = Colour.OTHER; Colour c = null; }
						""", "User{a=RED, b=OTHER, c=OTHER}", "User{a=RED, b=null, c=null}"),
				change("two constants become one", OLD, """
						enum Colour { RED, @RpcAlias({ "GREEN", "BLUE" }) COLD }
						class User { Colour a = Colour.COLD; Colour b = Colour.RED; Colour c = Colour.COLD; }
						""", "User{a=RED, b=COLD, c=COLD}", "User{a=null, b=RED, c=null}"),
				change("enum renamed with an alias", OLD, """
						@RpcAlias("evolution.Api$Colour") enum Paint { GREEN, RED, BLUE }
						class User { Paint a = Paint.GREEN; Paint b = Paint.RED; Paint c = Paint.BLUE; }
						""", "User{a=RED, b=GREEN, c=BLUE}", "User{a=GREEN, b=RED, c=BLUE}"));
	}

	private static List<EvolutionRow> contained() {
		return List.of(change("unknown constants in containers",
				"""
						enum Colour { RED, GREEN }
						class User { List<Colour> list = new ArrayList<>(); Map<String, Colour> values = new LinkedHashMap<>();
							Map<Colour, Integer> keys = new LinkedHashMap<>(); Set<Colour> set = new LinkedHashSet<>(); Optional<Colour> one = Optional.empty(); }
						""",
				"""
						enum Colour { BLUE, GREEN }
						class User { List<Colour> list = new ArrayList<>(List.of(Colour.BLUE, Colour.GREEN, Colour.BLUE));
							Map<String, Colour> values = new LinkedHashMap<>(Map.of("x", Colour.BLUE));
							Map<Colour, Integer> keys = new LinkedHashMap<>(Map.of(Colour.BLUE, 1));
							Set<Colour> set = new LinkedHashSet<>(List.of(Colour.GREEN, Colour.BLUE)); Optional<Colour> one = Optional.of(Colour.BLUE); }
						""",
				"User{list=[], values={}, keys={}, set=LinkedHashSet[], one=Optional[]}",
				"User{list=[null, GREEN, null], values={'x'=null}, keys={null=1}, set=LinkedHashSet[GREEN, null], one=Optional[]}"),
				change("unknown constants that would be one key",
						"enum Colour { RED } class User { Map<Colour, Integer> a; }",
						"""
								enum Colour { GREEN, BLUE }
								class User { Map<Colour, Integer> a = new LinkedHashMap<>(Map.of(Colour.GREEN, 1, Colour.BLUE, 2)); }
								""",
						"User{a=null}",
						ERROR + ".a: 2 entries of which some have the same key (expected: 2 different keys)"),
				change("unknown constants that would be one element",
						"enum Colour { @RpcEnumDefault RED } class User { Set<Colour> a; }", """
								enum Colour { RED, BLUE }
								class User { Set<Colour> a = new LinkedHashSet<>(List.of(Colour.RED, Colour.BLUE)); }
								""", "User{a=null}", ERROR + ".a: 2 elements of which some are equal"),
				change("unknown constant as a sorted key",
						"enum Colour { RED } class User { TreeMap<Colour, Integer> a; }",
						"enum Colour { BLUE } class User { TreeMap<Colour, Integer> a = new TreeMap<>(Map.of(Colour.BLUE, 1)); }",
						"User{a=null}", ERROR + ".a{}: "),
				change("constant as argument and result", """
						enum Colour { RED, GREEN }
						Colour exchange(Colour value);
						static Object value() { return Colour.RED; }
						""", """
						enum Colour { GREEN, BLUE, RED }
						Colour exchange(Colour value);
						static Object value() { return Colour.BLUE; }
						""", "RED", "null"));
	}

}
