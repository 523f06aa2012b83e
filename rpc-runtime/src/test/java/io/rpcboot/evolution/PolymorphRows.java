package io.rpcboot.evolution;

import java.util.List;
import java.util.stream.Stream;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Subtypes that come and go, and what may stand where {@code Object} is declared.
 */
final class PolymorphRows {

	private PolymorphRows() {
	}

	static List<EvolutionRow> rows() {
		return Stream.of(subtypes(), plainAndBase(), anything()).flatMap(List::stream).toList();
	}

	private static List<EvolutionRow> subtypes() {
		return List.of(
				change("subtype added before all others",
						"""
								sealed interface Shape permits Circle, Square { } record Circle(int r) implements Shape { } record Square(int a) implements Shape { }
								class User { List<Shape> a = new ArrayList<>(List.of(new Square(1), new Circle(2))); }
								""",
						"""
								sealed interface Shape permits Circle, Square, Arc { } record Arc(int x) implements Shape { }
								record Square(int a, String b) implements Shape { } record Circle(String c, long r) implements Shape { }
								class User { Set<Shape> a = new LinkedHashSet<>(List.of(new Circle("c", 3), new Square(4, "b"))); }
								""",
						"User{a=LinkedHashSet[Square{a=1, b=null}, Circle{c=null, r=2L}]}",
						"User{a=[Circle{r=3}, Square{a=4}]}"),
				change("subtype that the other side has not", """
						sealed interface Shape permits Circle { } record Circle(int r) implements Shape { }
						class User { Map<String, Shape> a = Map.of("k", new Circle(1)); }
						""",
						"""
								sealed interface Shape permits Circle, Arc { } record Circle(int r) implements Shape { } record Arc(int x) implements Shape { }
								class User { Map<String, Shape> a = Map.of("k", new Arc(1)); }
								""",
						"User{a={'k'=Circle{r=1}}}",
						ERROR + ".a{k}: evolution.Api$Arc, which the other side has for evolution.Api$Shape+ and this side has not (expected: evolution.Api$Circle)"),
				change("subtype and base renamed with aliases", """
						@RpcSubtypes(Circle.class) interface Shape { } record Circle(int r) implements Shape { }
						class User { Shape a = new Circle(1); }
						""",
						"""
								@RpcAlias("evolution.Api$Shape") @RpcSubtypes({ Zero.class, Ring.class }) interface Figure { } record Zero() implements Figure { }
								@RpcAlias("evolution.Api$Circle") record Ring(int r) implements Figure { }
								class User { Figure a = new Ring(2); }
								""",
						"User{a=Ring{r=1}}", "User{a=Circle{r=2}}"),
				change("subtypes of a generic base",
						"""
								sealed interface Result<T> permits Ok, Failed { } record Ok<T>(T value) implements Result<T> { } record Failed<T>(String why) implements Result<T> { }
								class User { Result<Integer> a = new Ok<>(1); }
								""",
						"""
								sealed interface Result<T> permits Ok, Failed, Bad { } record Ok<T>(String note, T value) implements Result<T> { } record Failed<T>(String why) implements Result<T> { }
								record Bad<T>() implements Result<T> { } class User { Result<Long> a = new Failed<>("no"); }
								""",
						"User{a=Ok{note=null, value=1L}}", "User{a=Failed{why='no'}}"),
				change("constant of an enum among subtypes", """
						sealed interface Shape permits Unit { } enum Unit implements Shape { B, A }
						class User { Shape a = Unit.A; }
						""", """
						sealed interface Shape permits Unit { } enum Unit implements Shape { A, C, B }
						class User { Shape a = Unit.C; }
						""", "User{a=A}", "User{a=null}"), refused("field of a subtype changes its type", """
						sealed interface Shape permits Circle { } record Circle(int r) implements Shape { }
						class User { Shape a; }
						""", """
						sealed interface Shape permits Circle { } record Circle(String r) implements Shape { }
						class User { Shape a; }
						""", "field r of evolution.Api$Circle: int at the client, java.lang.String at the server",
						"field r of evolution.Api$Circle: java.lang.String at the client, int at the server"));
	}

	private static List<EvolutionRow> plainAndBase() {
		return List.of(change("class gets subtypes", """
				class Pet { int id = 1; Pet next; } class User { Pet a = new Pet(); }
				""", """
				@RpcSubtypes(Cat.class) class Pet { int id = 2; Pet next; } class Cat extends Pet { int lives = 9; }
				class User { Pet a = new Pet(); }
				""", "User{a=Pet{id=1, next=null}}", "User{a=Pet{id=2, next=null}}"), change(
				"subtype of a class that has none at the other side", """
						class Pet { int id = 1; } class User { List<Pet> a = List.of(new Pet()); }
						""", """
						@RpcSubtypes(Cat.class) class Pet { int id = 2; } class Cat extends Pet { int lives = 9; }
						class User { List<Pet> a = List.of(new Pet(), new Cat()); }
						""", "User{a=[Pet{id=1}]}",
				ERROR + ".a[1]: evolution.Api$Cat, which the other side has for evolution.Api$Pet+ and this side has not (expected: evolution.Api$Pet)"),
				refused("class becomes an interface with subtypes", "class Pet { int id; } class User { Pet a; }",
						"sealed interface Pet permits Cat { } record Cat(int id) implements Pet { } class User { Pet a; }",
						"field a of evolution.Api$User: evolution.Api$Pet at the client, evolution.Api$Pet+ at the server",
						"field a of evolution.Api$User: evolution.Api$Pet+ at the client, evolution.Api$Pet at the server"));
	}

	private static List<EvolutionRow> anything() {
		return List.of(
				change("class comes into the world of Object",
						"""
								record Point(int x) { } class User { Point p; List<Object> a = new ArrayList<>(Arrays.asList(1, "a", new Point(2), null, List.of(new Point(3)))); }
								""",
						"""
								record Ahead(int x) { } record Point(int y, int x) { } class User { Ahead h; Point p; List<Object> a = new ArrayList<>(Arrays.asList(new Point(4, 5), 6L)); }
								""",
						"User{h=null, p=null, a=[1, 'a', Point{y=0, x=2}, null, [Point{y=0, x=3}]]}",
						"User{p=null, a=[Point{x=5}, 6L]}"),
				change("class that the other side has not in its world", """
						record Point(int x) { } class User { Point p; Object a = Map.of(new Point(1), 2.5); }
						""",
						"""
								record Ahead(int x) { } record Point(int x) { } class User { Ahead h; Point p; Object a = Map.of(new Ahead(1), 2.5); }
								""",
						"User{h=null, p=null, a={Point{x=1}=2.5d}}",
						ERROR + ".a{}: evolution.Api$Ahead, which the other side has for java.lang.Object and this side has not (expected: a value type, an enum or a record)"),
				change("numbers and constants of any kind",
						"""
								enum Unit { B, A } class User { Unit u; Number a = 1L; Comparable<?> b = Unit.A; Enum<?> c = Unit.B; }
								""",
						"""
								enum Ahead { X } enum Unit { A, C, B } class User { Ahead h; Unit u; Number a = 2.5; Comparable<?> b = "t"; Enum<?> c = Unit.C; }
								""",
						"User{h=null, u=null, a=1L, b=A, c=B}", "User{u=null, a=2.5d, b='t', c=null}"),
				refused("Object becomes a class", "class User { Object a; }", "class User { String a; }",
						"field a of evolution.Api$User: java.lang.Object at the client, java.lang.String at the server",
						"field a of evolution.Api$User: java.lang.String at the client, java.lang.Object at the server"),
				refused("class that Object can be changes a field",
						"record Point(int x) { } void point(Point value); class User { Object a; }",
						"record Point(String x) { } void point(Point value); class User { Object a; }",
						"field x of evolution.Api$Point: int at the client, java.lang.String at the server",
						"field x of evolution.Api$Point: java.lang.String at the client, int at the server"));
	}

}
