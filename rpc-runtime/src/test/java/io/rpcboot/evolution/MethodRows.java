package io.rpcboot.evolution;

import java.util.List;
import java.util.stream.Stream;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Methods that come, go, change their names and their signatures.
 */
final class MethodRows {

	private static final String OLD = """
			class User { int id = 1; }
			User exchange(User value);
			""";

	private MethodRows() {
	}

	static List<EvolutionRow> rows() {
		return Stream.of(names(), signatures()).flatMap(List::stream).toList();
	}

	private static List<EvolutionRow> names() {
		return List.of(change("methods added around it", OLD, """
				class User { int id = 2; }
				void added(int a);
				User exchange(User value);
				String zoo(User a, User b);
				""", "User{id=1}", "User{id=2}"),
				refused("method removed", OLD, "class User { int id = 2; } User exchangeAll(User value);",
						"method exchange(evolution.Api$User) is missing at the server",
						"method exchangeAll(evolution.Api$User) is missing at the server"),
				change("method renamed with an alias", OLD,
						"class User { int id = 2; } @RpcAlias(\"exchange\") User swap(User value);", "User{id=1}",
						"User{id=2}"),
				change("overloads added", OLD, """
						class User { int id = 2; }
						User exchange(User value);
						User exchange(String value);
						User exchange(User value, int times);
						""", "User{id=1}", "User{id=2}"),
				change("default methods added, which callers execute", OLD, """
						class User { int id = 2; }
						User exchange(User value);
						default User added(java.util.function.Supplier<User> value) { return exchange(value.get()); }
						default User exchange(int id) { return exchange(new User()); }
						""", "User{id=1}", "User{id=2}"), change("default method added for servers", OLD, """
						class User { int id = 2; }
						User exchange(User value);
						@RpcMethod default User added(User value) { return exchange(value); }
						""", "User{id=1}", "User{id=2}"), change("one of several overloads changed", """
						class User { int id = 1; }
						String exchange(String value);
						int exchange(int value);
						static Object value() { return "old"; }
						""", """
						class User { int id = 2; }
						String exchange(String value);
						long exchange(long value);
						static Object value() { return "new"; }
						""", "'old'", "'new'"), change("overload whose class was renamed", """
						class User { int id = 1; }
						User exchange(User value);
						User exchange(String value);
						""", """
						@RpcAlias("evolution.Api$User") class Person { int id = 2; }
						Person exchange(String value);
						Person exchange(Person value);
						static Object value() { return new Person(); }
						""", "Person{id=1}", "User{id=2}"));
	}

	private static List<EvolutionRow> signatures() {
		return List.of(refused("parameter added", OLD, """
				class User { int id = 2; }
				User exchange(User value, int times);
				static Object value() { return new User(); }
				""",
				"method exchange(evolution.Api$User) is missing at the server, which has exchange(evolution.Api$User, int)",
				"method exchange(evolution.Api$User, int) is missing at the server, which has exchange(evolution.Api$User)"),
				refused("parameter of another type", OLD, """
						class User { int id = 2; }
						User exchange(String value);
						static Object value() { return ""; }
						""",
						"argument 1 of exchange(evolution.Api$User): evolution.Api$User at the client, java.lang.String at the server",
						"argument 1 of exchange(java.lang.String): java.lang.String at the client, evolution.Api$User at the server"),
				change("parameter and result widened", "int exchange(int value); static Object value() { return 1; }",
						"Long exchange(Long value); static Object value() { return 5_000_000_000L; }", "1L",
						ERROR + "number 5000000000, which the other side declares as java.lang.Long (expected: java.lang.Integer)"),
				change("null for a primitive parameter", "int exchange(int value); static Object value() { return 1; }",
						"Integer exchange(Integer value); static Object value() { return null; }", "1",
						ERROR + "null (expected: int)"),
				change("null for a primitive parameter of another number",
						"short exchange(short value); static Object value() { return (short) 1; }",
						"Long exchange(Long value); static Object value() { return null; }", "1L",
						ERROR + "null (expected: short)"),
				change("result becomes void", "class User { int id = 1; } User exchange(User value);",
						"class User { int id = 2; } void exchange(User value);", "User{id=1}", "User{id=2}")
					.oldClientRefused(
							"result of exchange(evolution.Api$User): evolution.Api$User at the client, void at the server"),
				change("future instead of a value", OLD, """
						class User { int id = 2; String x = "y"; }
						java.util.concurrent.CompletableFuture<User> exchange(User value);
						""", "User{id=1, x='y'}", "User{id=2}"),
				change("result that only the server has", "class User { int id = 1; } void exchange(User value);",
						"class User { int id = 2; } User exchange(User value);", "User{id=1}", "")
					.newClientRefused(
							"result of exchange(evolution.Api$User): evolution.Api$User at the client, void at the server"));
	}

}
