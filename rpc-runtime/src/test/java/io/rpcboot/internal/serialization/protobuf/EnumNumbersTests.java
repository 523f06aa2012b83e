package io.rpcboot.internal.serialization.protobuf;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.protostuff.Tag;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcEnumDefault;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.TypeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the numbers of constants: by {@code @Tag}, by the lock, and 0. */
public class EnumNumbersTests {

	private static final String LOCK = "protobuf.lock";

	private static ProtobufCodec codec(String types, String lock) {
		ServiceDescriptor service = CompiledVersion.of("\t" + types + "\n\tstatic Object value() { return null; }")
			.descriptor();
		return ProtobufCodec.of(service, TypeOptions.NONE, NumberLock.parse(LOCK, lock));
	}

	/** The numbers of a service of others, with a gap and out of order. */
	@ParameterizedTest
	@EnumSource(Kind.class)
	void constant_hasTheNumberOfItsTag(Kind kind) {
		MethodCodec codec = Codecs.method(Items.class, "kind");
		int number = Map.of(Kind.CHAIR, 1, Kind.TABLE, 4, Kind.LAMP, 3, Kind.RUG, 19_000 - 1).get(kind);
		byte[] bytes = Codecs.result(codec, kind);
		assertThat(bytes).startsWith(8, number & 0x7F | ((number > 127) ? 0x80 : 0));
		assertThat(Codecs.read(codec, bytes)).isEqualTo(kind);
	}

	@Test
	void file_hasTheNumbersOfTags() {
		assertThat(Codecs.file(Items.class).text()).contains("""
				  ENUM_NUMBERS_TESTS_KIND_UNSPECIFIED = 0;
				  ENUM_NUMBERS_TESTS_KIND_CHAIR = 1;
				  ENUM_NUMBERS_TESTS_KIND_LAMP = 3;
				  ENUM_NUMBERS_TESTS_KIND_TABLE = 4;
				  ENUM_NUMBERS_TESTS_KIND_RUG = 18999;
				""").contains("""
				  ENUM_NUMBERS_TESTS_STATE_ACTIVE = 0;
				  ENUM_NUMBERS_TESTS_STATE_RETIRED = 1;
				""").doesNotContain("STATE_UNSPECIFIED");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					@Tag(1) RED, GREEN              | of its constants RED and GREEN one has @Tag and one has not | on every constant
					RED, @Tag(1) GREEN              | of its constants RED and GREEN one has @Tag and one has not | on every constant
					RED, GREEN, @Tag(3) BLUE        | of its constants RED and BLUE one has @Tag and one has not  | on every constant
					@Tag(1) RED, @Tag(1) GREEN      | RED and GREEN both have @Tag(1)                             | Correct one
					@Tag(0) RED, @Tag(0) GREEN      | RED and GREEN both have @Tag(0)                             | Correct one
					@Tag(-1) RED                    | RED has @Tag(-1) (expected: 0 to 536870911                  | Correct the number
					@Tag(19000) RED                 | RED has @Tag(19000)                                         | Correct the number
					@Tag(19999) RED                 | RED has @Tag(19999)                                         | Correct the number
					@Tag(536870912) RED             | RED has @Tag(536870912)                                     | Correct the number
					@Tag(1) RED, @Tag(-2147483648) B | B has @Tag(-2147483648)                                    | Correct the number
					""")
	void wrongTags_endTheStart(String constants, String problem, String action) {
		ServiceDescriptor service = CompiledVersion
			.of("enum Colour { " + constants
					+ " } record User(Colour colour) { } static Object value() { return null; }")
			.descriptor();
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ProtobufCodec.findings(service, List.of(), TypeOptions.NONE))
			.withMessageStartingWith("evolution.Api$Colour: ")
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.action()).contains(action));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			@Tag(4) RED, @Tag(2) GREEN | $Colour RED=4 GREEN=2            | UNSPECIFIED = 0;GREEN = 2;RED = 4
			@Tag(0) RED, @Tag(2) GREEN | $Colour RED=0 GREEN=2            | RED = 0;GREEN = 2
			RED, GREEN                 | $Colour RED=0 GREEN=1            | RED = 0;GREEN = 1
			RED, GREEN                 | $Colour RED=7 GREEN=0            | GREEN = 0;RED = 7
			RED                        | $Colour RED=1 reserved=0         | UNSPECIFIED = 0;RED = 1
			""")
	void lockAndTags_giveTheNumbers(String constants, String line, String numbers) {
		String types = "enum Colour { " + constants + " } record User(Colour colour) { }";
		String text = ProtobufCodec.file(List.of(codec(types, "evolution.Api" + line))).text();
		String declared = text.substring(text.indexOf("enum ApiColour"));
		assertThat(declared.lines().filter((each) -> each.contains("=")).map((each) -> each.strip())).containsExactly(
				Arrays.stream(numbers.split(";")).map((each) -> "API_COLOUR_" + each + ";").toArray(String[]::new));
		assertThat(declared).doesNotContain("reserved");
	}

	@Test
	void tagThatMovesANumberOfTheLock_isRefused() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> codec("enum Colour { @Tag(1) RED, @Tag(3) GREEN } record User(Colour colour) { }",
					"evolution.Api$Colour RED=1 GREEN=2"))
			.withMessageContaining("GREEN=3, as @Tag has it");
	}

	@Test
	void taggedEnum_needsNoLine() {
		assertThat(codec("enum Colour { @Tag(1) RED } record User(@Tag(1) Colour colour) { }", "").unlocked())
			.noneMatch((each) -> each.contains("$"));
	}

	@ParameterizedTest
	@CsvSource({ "$User id=0", "$User id=1 reserved=0", "/Exchange value=0" })
	void fieldWithNumber0_isRefused(String line) {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> codec("record User(long id) { }", "evolution.Api" + line))
			.withMessageContaining("numbers from 1, because only a constant of an enum can have 0");
	}

	@Test
	void absentField_isTheConstantWith0() {
		MethodCodec codec = Codecs.method(Items.class, "item");
		Item empty = (Item) Codecs.read(codec, new byte[] { 10, 0 });
		assertThat(empty).isEqualTo(new Item(State.ACTIVE, Optional.empty(), List.of(), Map.of()));
		Item full = new Item(State.RETIRED, Optional.of(State.ACTIVE), List.of(State.ACTIVE, State.RETIRED),
				Map.of("a", State.ACTIVE));
		assertThat(Codecs.read(codec, Codecs.result(codec, full))).isEqualTo(full);
		assertThat(Codecs.result(codec, new Item(State.ACTIVE, Optional.empty(), List.of(), Map.of())))
			.containsExactly(10, 0);
	}

	@Test
	void entryWithoutValue_hasTheConstantWith0() {
		Item read = (Item) Codecs.read(Codecs.method(Items.class, "item"), new byte[] { 10, 5, 34, 3, 10, 1, 'a' });
		assertThat(read.states()).containsExactly(Map.entry("a", State.ACTIVE));
	}

	/** The number 7 is in no constant: never the one with 0. */
	@Test
	void unknownNumber_isNullOrTheDefault_ifAConstantHas0() {
		MethodCodec codec = Codecs.method(Items.class, "item");
		Item read = (Item) Codecs.read(codec, new byte[] { 10, 7, 8, 7, 16, 7, 26, 1, 7 });
		assertThat(read.state()).isNull();
		assertThat(read.before()).isEmpty();
		assertThat(read.history()).containsOnlyNulls().hasSize(1);
		assertThat(Codecs.read(Codecs.method(Items.class, "level"), new byte[] { 8, 7 })).isEqualTo(Level.OTHER);
		assertThat(Codecs.read(Codecs.method(Items.class, "level"), new byte[0])).isEqualTo(Level.LOW);
		assertThat(((Item) Codecs.read(codec, new byte[] { 10, 7, 34, 5, 10, 1, 'a', 16, 7 })).states())
			.containsEntry("a", null);
	}

	@Test
	void null_isRefused_ifAConstantHas0() {
		MethodCodec codec = Codecs.method(Items.class, "item");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(codec, new Item(null, Optional.empty(), List.of(), Map.of())))
			.withMessageContaining(
					".state: null (expected: a constant of io.rpcboot.internal.serialization.protobuf.EnumNumbersTests$State, because 0 is ACTIVE over gRPC)");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(codec,
					new Item(State.ACTIVE, Optional.empty(), Arrays.asList(State.ACTIVE, null), Map.of())))
			.withMessageContaining(".history[1]: null (expected: a constant");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.arguments(Codecs.method(Items.class, "put"), new Object[] { null }))
			.withMessageContaining("state: null (expected: a constant");
	}

	/** Constants of others. */
	public enum Kind {

		@Tag(1)
		CHAIR, @Tag(4)
		TABLE, @Tag(3)
		LAMP, @Tag(18_999)
		RUG

	}

	/** Constants of others, with one that is 0. */
	public enum State {

		@Tag(1)
		RETIRED, @Tag(0)
		ACTIVE

	}

	/** Constants with a default for unknown ones. */
	public enum Level {

		@Tag(0)
		LOW, @Tag(1)
		HIGH, @Tag(2)
		@RpcEnumDefault
		OTHER

	}

	/** An item. */
	public record Item(State state, Optional<State> before, List<State> history, Map<String, State> states) {
	}

	/** A service. */
	public interface Items {

		Kind kind();

		Item item();

		Level level();

		void put(State state);

	}

}
