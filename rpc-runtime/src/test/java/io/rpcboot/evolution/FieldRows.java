package io.rpcboot.evolution;

import java.util.List;
import java.util.stream.Stream;

import static io.rpcboot.evolution.EvolutionRow.ERROR;
import static io.rpcboot.evolution.EvolutionRow.change;

/**
 * Fields that come, go and move. A field that only the reader has keeps what the
 * constructor of a bean gave it and is null or zero in a record.
 */
final class FieldRows {

	private static final String BEAN = "class User { int id = 1; String name = \"Ann\"; }";

	private static final String RECORD = """
			record User(int id, String name) { }
			static Object value() { return new User(1, "Ann"); }
			""";

	private FieldRows() {
	}

	static List<EvolutionRow> rows() {
		return Stream.of(added(), renamed(), moved(), removed(), constructed(), checked(), withDefaults())
			.flatMap(List::stream)
			.toList();
	}

	/** Fields that are new, where the constructor refuses null. */
	private static List<EvolutionRow> checked() {
		return List.of(change("collections added to a record that copies them", RECORD, """
				record User(int id, String name, List<String> tags, Set<Long> ids, Map<String, Integer> ages) {
					public User { tags = List.copyOf(tags); ids = Set.copyOf(ids); ages = Map.copyOf(ages); } }
				static Object value() { return new User(2, "Bob", List.of("x"), Set.of(7L), Map.of("a", 1)); }
				""", "User{id=1, name='Ann', tags=ListN[], ids=SetN[], ages=MapN{}}", "User{id=2, name='Bob'}"),
				change("optional and array added to a record that uses them", RECORD, """
						record User(Optional<String> mail, int id, String name, int[] marks) {
							public User { if (mail.isPresent()) { name = mail.get(); } marks = marks.clone(); } }
						static Object value() { return new User(Optional.empty(), 2, "Bob", new int[] { 3 }); }
						""", "User{mail=Optional[], id=1, name='Ann', marks=int[]}", "User{id=2, name='Bob'}"),
				change("text added to a record that refuses null", RECORD, """
						record User(int id, String name, String mail) {
							public User { Objects.requireNonNull(mail, "mail"); } }
						static Object value() { return new User(2, "Bob", "b@c"); }
						""", ERROR
						+ "the other side has another version of this class, without mail, and the constructor here refuses null or zero for a missing field: the constructor of evolution.Api$User threw java.lang.NullPointerException: mail; accept null there, or update the other side first",
						"User{id=2, name='Bob'}"),
				change("number added to a record that checks it", RECORD, """
						record User(int id, String name, int count, List<String> tags) {
							public User { if (count < 1) { throw new IllegalArgumentException("count " + count); } } }
						static Object value() { return new User(2, "Bob", 1, List.of()); }
						""", ERROR
						+ "without count and tags, and the constructor here refuses null or zero for a missing field: the constructor of evolution.Api$User threw java.lang.IllegalArgumentException: count 0",
						"User{id=2, name='Bob'}"),
				change("list added to a record that accepts null", RECORD, """
						record User(int id, String name, List<String> tags) { }
						static Object value() { return new User(2, "Bob", List.of()); }
						""", "User{id=1, name='Ann', tags=null}", "User{id=2, name='Bob'}"),
				change("null that was sent is no missing field",
						"class User { int id = 1; String name = \"Ann\"; List<String> tags; }", """
								record User(int id, String name, List<String> tags, List<String> more) {
									public User { tags = List.copyOf(tags); } }
								static Object value() { return new User(2, "Bob", List.of(), List.of()); }
								""", ERROR + "without more, and the constructor here refuses null",
						"User{id=2, name='Bob', tags=[]}"));
	}

	/** Fields that are new in a data class of Kotlin, as its compiler writes it. */
	private static List<EvolutionRow> withDefaults() {
		return List.of(
				change("fields with defaults added to a class of Kotlin", BEAN,
						"""
								class User { final int id; final List<String> lines; final String name; final int count;
									User(int id, List<String> lines, String name, int count) { this.id = id; this.count = count;
										this.lines = Objects.requireNonNull(lines); this.name = Objects.requireNonNull(name); }
									User(int id, List<String> lines, String name, int count, int mask, kotlin.jvm.internal.DefaultConstructorMarker marker) {
										this(id, (mask & 2) != 0 ? List.of("one") : lines, name, (mask & 8) != 0 ? 5 : count); } }
								static Object value() { return new User(2, List.of(), "Bob", 3); }
								""",
						"User{id=1, lines=List12['one'], name='Ann', count=5}", "User{id=2, name='Bob'}"),
				change("field without a default among others", BEAN,
						"""
								class User { final int id; final String name; final String mail; final int count;
									User(int id, String name, String mail, int count) { this.id = id; this.count = count;
										this.name = Objects.requireNonNull(name); this.mail = Objects.requireNonNull(mail); }
									User(int id, String name, String mail, int count, int mask, kotlin.jvm.internal.DefaultConstructorMarker marker) {
										this(id, name, mail, (mask & 8) != 0 ? 5 : count); } }
								static Object value() { return new User(2, "Bob", "b@c", 3); }
								""",
						ERROR + "without mail and count, and the constructor here refuses null or zero",
						"User{id=2, name='Bob'}"),
				change("defaults are not used for what was sent", BEAN, """
						class User { final int id; final String name;
							User(int id, String name) { this.id = id; this.name = name; }
							User(int id, String name, int mask, kotlin.jvm.internal.DefaultConstructorMarker marker) {
								this((mask & 1) != 0 ? 9 : id, (mask & 2) != 0 ? "none" : name); } }
						static Object value() { return new User(2, "Bob"); }
						""", "User{id=1, name='Ann'}", "User{id=2, name='Bob'}"));
	}

	private static List<EvolutionRow> added() {
		return List.of(
				change("field added at the end", BEAN,
						"class User { int id = 2; String name = \"Bob\"; String mail = \"none\"; }",
						"User{id=1, name='Ann', mail='none'}", "User{id=2, name='Bob'}"),
				change("field added at the front", BEAN,
						"class User { long since = 7; int id = 2; String name = \"Bob\"; }",
						"User{since=7L, id=1, name='Ann'}", "User{id=2, name='Bob'}"),
				change("fields of types that only the new side has", BEAN,
						"""
								class User { int id = 2; Home home = new Home(); List<Home> homes = new ArrayList<>(List.of(home));
									Map<String, Home> named = new LinkedHashMap<>(Map.of("a", home)); String name = "Bob"; }
								class Home { String street = "Elm"; Home next; }
								""",
						"User{id=1, home=Home{street='Elm', next=null}, homes=[Home{street='Elm', next=null}], named={'a'=Home{street='Elm', next=null}}, name='Ann'}",
						"User{id=2, name='Bob'}"),
				change("fields reordered", BEAN, "class User { String name = \"Bob\"; int id = 2; }",
						"User{name='Ann', id=1}", "User{id=2, name='Bob'}"),
				change("fields of the same type swapped", "class User { String first = \"A\"; String last = \"B\"; }",
						"class User { String last = \"D\"; String first = \"C\"; }", "User{last='B', first='A'}",
						"User{first='C', last='D'}"));
	}

	private static List<EvolutionRow> renamed() {
		return List.of(
				change("field renamed with an alias", BEAN,
						"class User { int id = 2; @RpcAlias(\"name\") String title = \"Bob\"; }",
						"User{id=1, title='Ann'}", "User{id=2, name='Bob'}"),
				change("field renamed twice", BEAN,
						"class User { int id = 2; @RpcAlias({ \"title\", \"name\" }) String label = \"Bob\"; }",
						"User{id=1, label='Ann'}", "User{id=2, name='Bob'}"),
				change("field renamed without an alias is another field", BEAN,
						"class User { int id = 2; String title = \"Bob\"; }", "User{id=1, title='Bob'}",
						"User{id=2, name='Ann'}"),
				change("names exchanged between two fields by aliases", "class User { int a = 1; int b = 2; }",
						"class User { @RpcAlias(\"old\") int b = 4; int a = 3; }", "User{b=2, a=1}", "User{a=3, b=4}"),
				change("alias beside a field of the writer that has the new name",
						"class User { String name = \"Ann\"; String title = \"Dr\"; }",
						"class User { @RpcAlias(\"name\") String title = \"Prof\"; }", "User{title='Dr'}",
						"User{name='Ann', title='Prof'}"));
	}

	private static List<EvolutionRow> moved() {
		return List.of(change("field moved to a superclass", BEAN, """
				class Named { String name = "Bob"; }
				class User extends Named { int id = 2; }
				""", "User{name='Ann', id=1}", "User{id=2, name='Bob'}"), change("field renamed in a superclass", """
				class Named { String name = "Ann"; }
				class User extends Named { int id = 1; }
				""", """
				class Named { @RpcAlias("name") String title = "Bob"; }
				class User extends Named { int id = 2; }
				""", "User{title='Ann', id=1}", "User{name='Bob', id=2}"),
				change("tags given", BEAN, "class User { @Tag(9) int id = 2; @Tag(4) String name = \"Bob\"; }",
						"User{id=1, name='Ann'}", "User{id=2, name='Bob'}"),
				change("tags renumbered", "class User { @Tag(1) int id = 1; @Tag(2) String name = \"Ann\"; }",
						"class User { @Tag(2) int id = 2; @Tag(1) String name = \"Bob\"; }", "User{id=1, name='Ann'}",
						"User{id=2, name='Bob'}"),
				change("field made transient",
						"class User { int id = 1; String name = \"Ann\"; String mail = \"a@b\"; }",
						"class User { int id = 2; transient String name = \"Bob\"; String mail = \"c@d\"; }",
						"User{id=1, name='Bob', mail='a@b'}", "User{id=2, name='Ann', mail='c@d'}"),
				change("null stays null over an initialiser", "class User { int id = 1; String name = null; }",
						"class User { String name = \"Bob\"; int id = 2; }", "User{name=null, id=1}",
						"User{id=2, name='Bob'}"));
	}

	private static List<EvolutionRow> removed() {
		return List.of(change("all fields removed", BEAN, "class User { }", "User{}", "User{id=1, name='Ann'}"), change(
				"many fields removed that hold groups",
				"""
						class User { int a = 1; Part p1 = new Part(); Part p2 = new Part(); List<Part> p3 = new ArrayList<>(List.of(p1));
							int b = 2; Part p4 = new Part(); int c = 3; }
						class Part { int x = 5; Part inner; }
						""",
				"""
						class User { int a = 4; int b = 5; int c = 6; }
						""", "User{a=1, b=2, c=3}",
				"User{a=4, p1=Part{x=5, inner=null}, p2=Part{x=5, inner=null}, p3=[Part{x=5, inner=null}], b=5, p4=Part{x=5, inner=null}, c=6}"),
				change("field removed inside a group of the same number",
						"class User { int id = 1; Part part = new Part(); } class Part { int x = 3; int gone = 4; }",
						"class User { int id = 2; Part part = new Part(); } class Part { int x = 5; }",
						"User{id=1, part=Part{x=3}}", "User{id=2, part=Part{x=5, gone=4}}"));
	}

	private static List<EvolutionRow> constructed() {
		return List.of(change("component added to a record", RECORD, """
				record User(String mail, int id, long since, String name) { }
				static Object value() { return new User("b@c", 2, 7L, "Bob"); }
				""", "User{mail=null, id=1, since=0L, name='Ann'}", "User{id=2, name='Bob'}"),
				change("component renamed with an alias", RECORD, """
						record User(@RpcAlias("name") String title, int id) { }
						static Object value() { return new User("Bob", 2); }
						""", "User{title='Ann', id=1}", "User{id=2, name='Bob'}"),
				change("bean becomes a record", BEAN, """
						record User(String name, int id, String mail) { }
						static Object value() { return new User("Bob", 2, "b@c"); }
						""", "User{name='Ann', id=1, mail=null}", "User{id=2, name='Bob'}"),
				change("list and map become final",
						"""
								class User { List<String> names = new ArrayList<>(List.of("Ann")); Map<String, Long> ages = new HashMap<>(Map.of("Ann", 1L)); }
								""",
						"""
								class User { final Map<String, Integer> ages = new TreeMap<>(Map.of("Bob", 2));
									final Collection<String> names = new LinkedList<>(List.of("Bob")); final Set<String> more = new HashSet<>(List.of("more")); }
								""",
						"User{ages=TreeMap{'Ann'=1}, names=LinkedList['Ann'], more=HashSet['more']}",
						"User{names=['Bob'], ages={'Bob'=2L}}"),
				change("list that is null becomes final", "class User { List<String> names; }",
						"class User { final List<String> names = new ArrayList<>(); }",
						ERROR + "null for a final field", "User{names=[]}"),
				change("bean gets final fields", BEAN, """
						class User { final String name; final int id; String mail = "none";
							User(int id, String name) { this.id = id; this.name = name; } }
						static Object value() { return new User(2, "Bob"); }
						""", "User{name='Ann', id=1, mail='none'}", "User{id=2, name='Bob'}"));
	}

}
