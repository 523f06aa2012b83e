package io.rpcboot.layout;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SourceModelTests {

	private static SourceModel read(String... classes) throws IOException {
		Map<String, String> sources = new TreeMap<>();
		for (String each : classes) {
			sources.put("a/File" + sources.size() + ".java", each);
		}
		return SourceModel.of(sources);
	}

	@Test
	void abstractClass_isFound_withOneSubclass() throws IOException {
		SourceModel model = read("package a; abstract class Half { }", "package a; final class Whole extends Half { }");
		assertThat(model.size()).isEqualTo(2);
		assertThat(model.abstractClassesWithOneSubclass()).containsExactly("Half");
	}

	@Test
	void nestedAndAnonymousSubclasses_areFound() throws IOException {
		assertThat(read(
				"package a; class Outer { static abstract class Half<T> { } class Whole extends Half<String> { } }")
			.abstractClassesWithOneSubclass()).containsExactly("Outer.Half");
		assertThat(read("package a; abstract class Half { static Half of() { return new Half() { }; } }")
			.abstractClassesWithOneSubclass()).containsExactly("Half");
	}

	@Test
	void abstractClass_isAccepted_withNoneOrTwoSubclasses() throws IOException {
		assertThat(read("package a; abstract class Base { }", "package a; class One extends Base { }",
				"package a; class Two extends Base { }", "package a; abstract class Open { }")
			.abstractClassesWithOneSubclass()).isEmpty();
	}

	@Test
	void otherPackagesInterfacesAndEnums_areAccepted() throws IOException {
		assertThat(read("package a; public abstract class Base { }", "package b; class One extends a.Base { }",
				"package a; interface Able { }", "package a; class Two implements Able { }",
				"package a; enum Kind { ONE { } ; }", "package a; class Concrete { }",
				"package a; class Three extends Concrete { }")
			.abstractClassesWithOneSubclass()).isEmpty();
	}

	@Test
	void staticAccess_isFoundToFieldsOfOtherClass() throws IOException {
		String call = "package a; class Call { int state; private int own; static int COUNT; int own() { return own; } }";
		assertThat(read(call, "package a; class Reads { static int of(Call call) { return call.state; } }",
				"package a; class Writes { private Writes() { } static void to(Call call) { call.state = 1; } }",
				"package a; class Later { static Runnable of(Call call) { return () -> call.state++; } }")
			.staticsOnForeignFields())
			.isEqualTo(Map.of("Reads", Set.of("Call.state"), "Writes", Set.of("Call.state"), "Later",
					Set.of("Call.state")));
	}

	@Test
	void inheritedField_isAttributedToDeclaringClass() throws IOException {
		assertThat(read("package a; class Base { int state; }", "package a; class Call extends Base { }",
				"package a; class Reads { static int of(Call call) { return call.state; } }")
			.staticsOnForeignFields()).isEqualTo(Map.of("Reads", Set.of("Base.state")));
	}

	@Test
	void unknownTypes_hideNoViolation() throws IOException {
		SourceModel model = read("package a; class Call { int state; }",
				"package a; import x.Unknown; class Reads { static int of(Call call, Unknown other) { "
						+ "return other.run(() -> call.state); } }");
		assertThat(model.errors("a")).isNotEmpty();
		assertThat(model.staticsOnForeignFields()).containsOnlyKeys("Reads");
	}

	@Test
	void permittedFieldAccess_isAccepted() throws IOException {
		assertThat(read(
				"package a; class Call { int state; static int COUNT; int state() { return state; } static class Part { int size; } }",
				"package a; record Pair(int one) { }", "package b; public class Far { public int state; }",
				"package a; class Accessors { static int of(Call call) { return call.state() + Call.COUNT; } }",
				"package a; class Records { static int of(Pair pair) { return pair.one(); } }",
				"package a; class Parts { static int of(Call.Part part) { return part.size; } }",
				"package a; class Others { static int of(b.Far far) { return far.state; } }",
				"package a; class Own { int state; static int of(Own own) { return own.state; } }",
				"package a; class Instance { int of(Call call) { return call.state; } }",
				"package a; class Stateful { final int own = 1; static int of(Call call) { return call.state; } }")
			.staticsOnForeignFields()).isEmpty();
	}

}
