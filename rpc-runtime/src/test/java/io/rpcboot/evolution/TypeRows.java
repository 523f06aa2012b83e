package io.rpcboot.evolution;

import java.util.List;
import java.util.stream.Stream;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Fields whose type changes, and classes that change inside others.
 */
final class TypeRows {

	private TypeRows() {
	}

	static List<EvolutionRow> rows() {
		return Stream.of(numbers(), boxes(), others(), nested(), recursive()).flatMap(List::stream).toList();
	}

	private static List<EvolutionRow> numbers() {
		return List.of(
				change("int becomes long", "class User { int id = 1; String name = \"Ann\"; }",
						"class User { long id = 2; String name = \"Bob\"; }", "User{id=1L, name='Ann'}",
						"User{id=2, name='Bob'}"),
				change("long that does not fit", "class User { int id = -7; }",
						"class User { long id = 5_000_000_000L; }", "User{id=-7L}",
						ERROR + ".id: number 5000000000, which the other side declares as long (expected: int)"),
				change("all integers widened",
						"class User { byte a = -128; short b = -32768; int c = -2147483648; Byte d = -1; Short e = -2; Integer f = -3; }",
						"class User { short a = 127; int b = 32767; long c = 2147483647; long d = 4; Integer e = 5; Long f = 6L; }",
						"User{a=-128s, b=-32768, c=-2147483648L, d=-1L, e=-2, f=-3L}",
						"User{a=127b, b=32767s, c=2147483647, d=4b, e=5s, f=6}"),
				change("short that does not fit", "class User { byte a = 1; }", "class User { short a = 128; }",
						"User{a=1s}",
						ERROR + ".a: number 128, which the other side declares as short (expected: byte)"),
				change("float becomes double, as an argument",
						"void exchange(User value); class User { float a = 0.5f; Float b = 1.5f; }",
						"void exchange(User value); class User { double a = 2.5; Double b = 3.5; }",
						"User{a=0.5d, b=1.5d}", "")
					.newClientRefused(
							"field a of evolution.Api$User: double at the client, float at the server; field b of evolution.Api$User: java.lang.Double at the client, java.lang.Float at the server"));
	}

	private static List<EvolutionRow> boxes() {
		return List.of(change("primitive becomes its box",
				"class User { int a = 0; boolean b = true; char c = 'x'; double d = 1.5; byte e = 0; }",
				"class User { Integer a = 3; Boolean b = false; Character c = 'y'; Double d = 2.5; Byte e = 4; }",
				"User{a=0, b=true, c='x', d=1.5d, e=0b}", "User{a=3, b=false, c='y', d=2.5d, e=4b}"),
				change("absent box becomes zero",
						"class User { int a = 1; boolean b = true; char c = 'x'; long d = 2; }",
						"class User { Integer a; Boolean b; Character c; Integer d; }", "User{a=1, b=true, c='x', d=2}",
						"User{a=0, b=false, c='\u0000', d=0L}"),
				change("int of a record becomes a box of long", """
						record User(int id, String name) { }
						static Object value() { return new User(1, "Ann"); }
						""", """
						record User(String name, Long id) { }
						static Object value() { return new User("Bob", null); }
						""", "User{name='Ann', id=1L}", "User{id=0, name='Bob'}"));
	}

	private static List<EvolutionRow> others() {
		return List.of(
				refused("int becomes String", "class User { int age = 1; String name = \"Ann\"; }",
						"class User { String age = \"1\"; String name = \"Ann\"; }",
						"field age of evolution.Api$User: int at the client, java.lang.String at the server",
						"field age of evolution.Api$User: java.lang.String at the client, int at the server"),
				refused("type that does not fit behind an alias", "class User { int age = 1; }",
						"class User { @RpcAlias(\"age\") String years = \"1\"; }",
						"field age (years at the server) of evolution.Api$User: int at the client, java.lang.String at the server",
						"field years (age at the server) of evolution.Api$User: java.lang.String at the client, int at the server"),
				refused("field that stands for two", "class User { String first = \"A\"; String last = \"B\"; }",
						"class User { @RpcAlias({ \"first\", \"last\" }) String name = \"AB\"; }",
						"field name of evolution.Api$User at the server stands for fields first and last at the client",
						"field name of evolution.Api$User at the client stands for fields first and last at the server"),
				refused("class becomes an enum", "class User { Kind kind; } class Kind { }",
						"class User { Kind kind; } enum Kind { A }",
						"field kind of evolution.Api$User: bean evolution.Api$Kind at the client, enum evolution.Api$Kind at the server",
						"field kind of evolution.Api$User: enum evolution.Api$Kind at the client, bean evolution.Api$Kind at the server"),
				change("class renamed with an alias",
						"class User { int id = 1; Home home = new Home(); } class Home { int no = 3; }",
						"class User { int id = 2; Place home = new Place(); } @RpcAlias(\"evolution.Api$Home\") class Place { int no = 4; }",
						"User{id=1, home=Place{no=3}}", "User{id=2, home=Home{no=4}}"),
				refused("class renamed without an alias",
						"class User { int id = 1; Home home = new Home(); } class Home { int no = 3; }",
						"class User { int id = 2; Place home = new Place(); } class Place { int no = 4; }",
						"field home of evolution.Api$User: evolution.Api$Home at the client, evolution.Api$Place at the server",
						"field home of evolution.Api$User: evolution.Api$Place at the client, evolution.Api$Home at the server"),
				change("parameter and result renamed with an alias", "class User { int id = 1; }", """
						@RpcAlias("evolution.Api$User") record Person(long id) { }
						Person exchange(Person value);
						static Object value() { return new Person(2); }
						""", "Person{id=1L}", "User{id=2}"));
	}

	private static List<EvolutionRow> nested() {
		return List.of(
				change("nested generics",
						"""
								class Page<T> { int no = 1; List<T> items = new ArrayList<>(); }
								class User { int id = 1; String name = "Ann"; }
								Page<User> exchange(Page<User> value);
								static Object value() { Page<User> page = new Page<>(); page.items.add(new User()); page.items.add(null);
									return page; }
								""",
						"""
								class Page<T> { long no = 2; int total = 9; @RpcAlias("items") Collection<T> found = new ArrayList<>(); }
								class User { String name = "Bob"; long id = 2; boolean gone = true; }
								Page<User> exchange(Page<User> value);
								static Object value() { Page<User> page = new Page<>(); page.found.add(new User()); return page; }
								""",
						"Page{no=1L, total=9, found=[User{name='Ann', id=1L, gone=true}, null]}",
						"Page{no=2, items=[User{id=2, name='Bob'}]}"),
				refused("type argument that does not fit", """
						class Page<T> { List<T> items = new ArrayList<>(); }
						Page<Integer> exchange(Page<Integer> value);
						static Object value() { return new Page<Integer>(); }
						""", """
						class Page<T> { List<T> items = new ArrayList<>(); }
						Page<String> exchange(Page<String> value);
						static Object value() { return new Page<String>(); }
						""",
						"field items of evolution.Api$Page: java.util.List<java.lang.Integer> at the client, java.util.List<java.lang.String> at the server",
						"field items of evolution.Api$Page: java.util.List<java.lang.String> at the client, java.util.List<java.lang.Integer> at the server"));
	}

	private static List<EvolutionRow> recursive() {
		return List.of(change("recursive type", """
				class User { int id; User left; List<User> more = new ArrayList<>(); }
				static Object value() { User a = new User(); a.id = 1; a.left = new User(); a.left.id = 2;
					a.more.add(a.left); return a; }
				""", """
				class User { String extra = "x"; List<User> more = new ArrayList<>(); User left; long id; }
				static Object value() { User a = new User(); a.id = 3; a.left = new User(); a.left.id = 4; return a; }
				""",
				"User{extra='x', more=[User{extra='x', more=[], left=null, id=2L}], left=User{extra='x', more=[], left=null, id=2L}, id=1L}",
				"User{id=3, left=User{id=4, left=null, more=[]}, more=[]}"),
				change("types that lead to each other",
						"""
								class User { int id = 1; Team team; } class Team { User boss; String name = "a"; }
								static Object value() { User u = new User(); u.team = new Team(); u.team.boss = new User(); return u; }
								""",
						"""
								class User { Team team; int id = 2; } class Team { String name = "b"; int size = 3; User boss; }
								static Object value() { User u = new User(); u.team = new Team(); u.team.boss = new User(); return u; }
								""",
						"User{team=Team{name='a', size=3, boss=User{team=null, id=1}}, id=1}",
						"User{id=2, team=Team{boss=User{id=2, team=null}, name='b'}}"),
				change("changed type deep inside", """
						class User { List<Map<String, Optional<Leaf>>> deep = new ArrayList<>(); }
						class Leaf { int x = 1; }
						static Object value() { User u = new User();
							u.deep.add(new LinkedHashMap<>(Map.of("k", Optional.of(new Leaf())))); return u; }
						""", """
						class User { List<Map<String, Optional<Leaf>>> deep = new ArrayList<>(); }
						class Leaf { String y = "new"; long x = 2; }
						static Object value() { User u = new User();
							u.deep.add(new LinkedHashMap<>(Map.of("k", Optional.of(new Leaf())))); return u; }
						""", "User{deep=[{'k'=Optional[Leaf{y='new', x=1L}]}]}",
						"User{deep=[{'k'=Optional[Leaf{x=2}]}]}"),
				refused("changed type deep inside that does not fit",
						"class User { List<Map<String, Leaf>> deep = new ArrayList<>(); } class Leaf { Tip tip; } class Tip { String x; }",
						"class User { List<Map<String, Leaf>> deep = new ArrayList<>(); } class Leaf { Tip tip; } class Tip { UUID x; }",
						"field x of evolution.Api$Tip: java.lang.String at the client, java.util.UUID at the server",
						"field x of evolution.Api$Tip: java.util.UUID at the client, java.lang.String at the server"));
	}

}
