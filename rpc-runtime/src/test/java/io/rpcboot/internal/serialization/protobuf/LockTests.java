package io.rpcboot.internal.serialization.protobuf;

import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.TypeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the verdicts of the lock on edits of a type. */
class LockTests {

	private static final String USER = "evolution.Api$User";

	private static final String LINE = USER + " id=1 name=2 email=3";

	private static final String RECORD = "record User(long id, String name, String email) { }";

	private static ServiceDescriptor version(String types) {
		return CompiledVersion.of("\t" + types + "\n\tstatic Object value() { return null; }").descriptor();
	}

	private static ProtobufCodec codec(String types, String lock) {
		return ProtobufCodec.of(version(types), TypeOptions.NONE, NumberLock.parse("protobuf.lock", lock));
	}

	/** Returns each edit with the line of the lock, and the fields that result. */
	static Stream<Arguments> accepted() {
		return Stream.of(Arguments.of("no edit", RECORD, LINE, "id=1 name=2 email=3"),
				Arguments.of("fields exchanged", "record User(String email, String name, long id) { }", LINE,
						"id=1 name=2 email=3"),
				Arguments.of("field added with its line",
						"record User(long id, int age, String name, String email) { }", LINE + " age=4",
						"id=1 name=2 email=3 age=4"),
				Arguments.of("field removed and reserved", "record User(long id, String name) { }",
						USER + " id=1 name=2 reserved=3", "id=1 name=2"),
				Arguments.of("field renamed with an alias",
						"record User(long id, @RpcAlias(\"name\") String title, String email) { }", LINE,
						"id=1 title=2 email=3"),
				Arguments.of("field moved to a superclass",
						"class Base { public String email; } class User extends Base { public long id; public String name; }",
						LINE, "id=1 name=2 email=3"),
				Arguments.of("type of a field widened", "record User(long id, String name, java.net.URI email) { }",
						LINE, "id=1 name=2 email=3"),
				Arguments.of("tags as in the lock",
						"class User { @Tag(2) public String name; @Tag(1) public long id; @Tag(3) public String email; }",
						LINE, "id=1 name=2 email=3"),
				Arguments.of("another type in the lock", RECORD, "com.acme.Other id=7", "id=1 name=2 email=3"),
				Arguments.of("field with the name reserved", "record User(long id, boolean reserved) { }",
						USER + " id=1 .reserved=3 reserved=2", "id=1 reserved=3"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("accepted")
	void edit_keepsNumbers(String edit, String types, String line, String fields) {
		String text = ProtobufCodec.file(List.of(codec(types, line))).text();
		String message = text.substring(text.indexOf("message ApiUser {"));
		assertThat(message.substring(0, message.indexOf('}'))
			.lines()
			.filter((each) -> each.contains("="))
			.map((each) -> each.replaceAll(".* (\\w+) = (\\d+);", "$1=$2"))).containsExactly(fields.split(" "));
	}

	/** Returns each edit with the line of the lock, and the line that is proposed. */
	static Stream<Arguments> refused() {
		return Stream.of(
				Arguments.of("field added", "record User(long id, int age, String name, String email) { }", LINE,
						LINE + " age=4"),
				Arguments.of("field removed", "record User(long id, String name) { }", LINE,
						USER + " id=1 name=2 reserved=3"),
				Arguments.of("field renamed", "record User(long id, String title, String email) { }", LINE,
						USER + " id=1 email=3 title=4 reserved=2"),
				Arguments.of("tags other than the lock",
						"class User { @Tag(4) public String name; @Tag(1) public long id; @Tag(3) public String email; }",
						LINE, USER + " id=1 email=3 name=4 reserved=2"),
				Arguments.of("field in a superclass added",
						"class Base { public int rank; } class User extends Base { public long id; public String name; public String email; }",
						LINE, LINE + " rank=4"),
				Arguments.of("field added behind a reserved number", "record User(long id, String name, int age) { }",
						USER + " id=1 name=2 reserved=3", USER + " id=1 name=2 age=4 reserved=3"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("refused")
	void edit_isRefusedWithLine(String edit, String types, String line, String proposed) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> codec(types, line))
			.withMessageContaining("META-INF/rpc/protobuf.lock")
			.withMessageContaining(line)
			.satisfies((ex) -> assertThat(ex.action())
				.isEqualTo("If the change is meant, replace the line by: " + proposed));
	}

	@Test
	void tagWithReservedNumber_isRefused() {
		String types = "class User { @Tag(1) public long id; @Tag(2) public String name; }";
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> codec(types, USER + " id=1 name=2 reserved=2"))
			.withMessageContaining("number 2 of 'reserved' and 'name'");
	}

	@Test
	void enumAndSubtypes_keepNumbersOfTheLock() {
		String types = "enum Colour { GREEN, RED } sealed interface Shape permits Square, Circle { }"
				+ " record Square(int side) implements Shape { } record Circle(int radius) implements Shape { }"
				+ " record User(Colour colour, Shape shape) { }";
		String text = ProtobufCodec.file(List.of(codec(types, """
				evolution.Api$Colour RED=1 GREEN=2 reserved=3
				evolution.Api$Shape+ evolution.Api$Circle=1 evolution.Api$Square=5
				"""))).text();
		assertThat(text).contains("""
				enum ApiColour {
				  reserved 3;
				  API_COLOUR_UNSPECIFIED = 0;
				  API_COLOUR_RED = 1;
				  API_COLOUR_GREEN = 2;
				}
				""").contains("""
				message ApiShape {
				  oneof choice {
				    ApiCircle circle = 1;
				    ApiSquare square = 5;
				  }
				}
				""");
	}

	@Test
	void subtypes_areNumberedInPermittedOrder_withoutLock() {
		String types = "sealed interface User permits Square, Circle { }"
				+ " record Square(int side) implements User { } record Circle(int radius) implements User { }";
		assertThat(ProtobufCodec.file(List.of(codec(types, ""))).text())
			.contains("    ApiSquare square = 1;\n    ApiCircle circle = 2;\n");
	}

	@Test
	void renewedLock_acceptsTheTypesThatItWasWrittenFor() {
		NumberLock first = ProtobufCodec.lock(version(RECORD), TypeOptions.NONE, NumberLock.NONE);
		assertThat(first.text()).contains(LINE + "\n");
		String edited = "record User(int age, String email, Colour colour) { } enum Colour { RED }";
		NumberLock second = ProtobufCodec.lock(version(edited), TypeOptions.NONE, first);
		assertThat(second.text()).contains("evolution.Api$Colour RED=1\n")
			.contains(USER + " email=3 age=4 colour=5 reserved=1,2\n");
		assertThatCode(() -> codec(edited, second.text())).doesNotThrowAnyException();
		assertThat(NumberLock.parse("again", second.text()).text()).isEqualTo(second.text());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a.B id=1 name=1      | number 1 of
			a.B id=1 id=2        | id twice
			a.B id               | id (expected: name=number
			a.B =1               | =1 (expected: name=number
			a.B id=-1            | id=-1 (expected: name=number
			a.B id=x             | id=x (expected: name=number
			a.B id=19000         | not from 19000 to 19999
			a.B id=999999999     | from 1 to 536870911
			a.B id=1 reserved=1  | number 1 of
			""")
	void malformedLine_isRefusedWithItsPlace(String line, String message) {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> NumberLock.parse("protobuf.lock", "# comment\n\n" + line))
			.satisfies((ex) -> assertThat(ex.getMessage().replace("'", "")).contains(message));
	}

	@Test
	void typeTwice_isRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> NumberLock.parse("protobuf.lock", "a.B id=1\na.B id=2"))
			.withMessage("protobuf.lock, line 2: 'a.B id=2', and 'a.B id=1' before (expected: the same for a type)");
	}

	@Test
	void typesWithoutLineOrTag_areUnlocked() {
		String types = "enum Colour { GREEN, RED } record Size(int width) { }"
				+ " class Tagged { @Tag(1) public int id; } record User(Colour colour, Size size, Tagged tagged) { }";
		assertThat(codec(types, "").unlocked()).containsExactly("evolution.Api$Colour GREEN=1 RED=2",
				"evolution.Api$Size width=1", USER + " colour=1 size=2 tagged=3", "evolution.Api/Exchange value=1",
				"evolution.Api/Untouched number=1");
		assertThat(codec(types, USER + " colour=1 size=2 tagged=3\nevolution.Api$Colour GREEN=1 RED=2").unlocked())
			.containsExactly("evolution.Api$Size width=1", "evolution.Api/Exchange value=1",
					"evolution.Api/Untouched number=1");
	}

}
