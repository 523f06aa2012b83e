package io.rpcboot.evolution;

import java.util.List;

import static io.rpcboot.evolution.EvolutionRow.change;
import static io.rpcboot.evolution.EvolutionRow.refused;

/**
 * Exceptions of throws clauses and their fields.
 */
final class ExceptionRows {

	private static final String OLD = """
			class Failed extends Exception { int code = 1; String name = "a";
				public Failed(String message) { super(message); } }
			void exchange() throws Failed;
			static Object value() { return new Failed("old"); }
			""";

	private ExceptionRows() {
	}

	static List<EvolutionRow> rows() {
		return List.of(change("fields of an exception added and reordered", OLD, """
				class Failed extends Exception { String name = "b"; long code = 2; String more = "m";
					public Failed(String message) { super(message); } }
				void exchange() throws Failed;
				static Object value() { return new Failed("new"); }
				""", "Failed{message='old', name='a', code=1L, more='m'}", "Failed{message='new', code=2, name='b'}"),
				change("field of an exception renamed with an alias", OLD, """
						class Failed extends Exception { @RpcAlias("name") String title = "b";
							public Failed(String message) { super(message); } }
						void exchange() throws Failed;
						static Object value() { return new Failed("new"); }
						""", "Failed{message='old', title='a'}", "Failed{message='new', code=1, name='b'}"),
				change("final field of an exception added", OLD,
						"""
								class Failed extends Exception { final String reason; final int code;
									public Failed(String message, int code, String reason) { super(message); this.code = code; this.reason = reason; } }
								void exchange() throws Failed;
								static Object value() { return new Failed("new", 2, "r"); }
								""",
						"Failed{message='old', reason=null, code=1}", "Failed{message='new', code=2, name='a'}"),
				change("exception gets a final list", OLD, """
						class Failed extends Exception { final List<String> details = new ArrayList<>(); int code = 2;
							public Failed(String message) { super(message); details.add("detail"); } }
						void exchange() throws Failed;
						static Object value() { return new Failed("new"); }
						""", "Failed{message='old', details=['detail'], code=1}",
						"Failed{message='new', code=2, name='a'}"),
				change("exception gets a message of its own", OLD,
						"""
								class Failed extends Exception { String message; int code = 2; public Failed() { super("fixed"); } }
								void exchange() throws Failed;
								static Object value() { Failed failed = new Failed(); failed.message = "own"; return failed; }
								""",
						"Failed{message='fixed', message=null, code=1}", "Failed{message='fixed', code=2, name='a'}"),
				refused("field of an exception of another type", OLD, """
						class Failed extends Exception { String code;
							public Failed(String message) { super(message); } }
						void exchange() throws Failed;
						static Object value() { return new Failed("new"); }
						""", "field code of evolution.Api$Failed: int at the client, java.lang.String at the server",
						"field code of evolution.Api$Failed: java.lang.String at the client, int at the server"),
				change("exception renamed with an alias", OLD, """
						@RpcAlias("evolution.Api$Failed") class Broken extends Exception { int code = 2;
							public Broken(String message) { super(message); } }
						void exchange() throws Broken;
						static Object value() { return new Broken("new"); }
						""", "Broken{message='old', code=1}", "Failed{message='new', code=2, name='a'}"),
				change("exceptions added in front", OLD,
						"""
								class Failed extends Exception { int code = 2; public Failed(String message) { super(message); } }
								class Gone extends Exception { List<String> where = new ArrayList<>(List.of("x")); public Gone(String message) { super(message); } }
								void exchange() throws java.io.IOException, Gone, Failed;
								static Object value() { return new Gone("new"); }
								""",
						"Failed{message='old', code=1}", "undeclared evolution.Api$Gone: new"),
				change("exception without a message that the other side does not declare", OLD, """
						class Gone extends Exception { int code = 3; }
						void exchange() throws Gone;
						static Object value() { return new Gone(); }
						""", "undeclared evolution.Api$Failed: old",
						"undeclared evolution.Api$Gone: without a message"),
				change("throws clause removed", OLD, """
						class User { }
						void exchange();
						""", "undeclared evolution.Api$Failed: old", ""));
	}

}
