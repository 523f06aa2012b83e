package io.rpcboot.internal.serialization.protobuf;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the bytes: those that are written, and those that any writer may send. */
public class ProtobufWireTests {

	private static final int LIMIT = 1 << 20;

	private final MethodCodec codec = Codecs.method(Service.class, "get");

	private static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	private Object read(String hex) {
		return Codecs.read(this.codec, HexFormat.of().parseHex(hex.replace(" ", "")));
	}

	private static Item item(String name) {
		return new Item(name, 0, 0, false, 0, 0, List.of(), List.of(), Map.of(), Set.of(), null, null, null, null,
				Optional.empty());
	}

	@Test
	void item_hasTheBytesOfTheSpecification() {
		Item value = new Item("testing", 150, -1, true, 1.5f, -0d, List.of(1, 270), List.of("a", ""), Map.of("k", 2L),
				Set.of(), Kind.BOTH, Instant.ofEpochSecond(1, 2), Duration.ofMillis(-1500), item("x"), Optional.of(0));
		assertThat(hex(Codecs.result(this.codec, value))).isEqualTo("0a5f" // value: 95
																			// bytes
				+ "0a0774657374696e67" // 1: "testing"
				+ "109601" // 2: 150
				+ "18ffffffffffffffffff01" // 3: -1
				+ "2001" // 4: true
				+ "2d0000c03f" // 5: 1.5
				+ "310000000000000080" // 6: -0.0
				+ "3a03018e02" // 7: packed 1, 270
				+ "420161" + "4200" // 8: "a", ""
				+ "4a050a016b1002" // 9: { "k": 2 }
				+ "5802" // 11: second constant
				+ "620408011002" // 12: { 1, 2 }
				+ "6a16" + "08ffffffffffffffffff01" + "1080b6ca91feffffffff01" // 13: {
																				// -1,
																				// -500000000
																				// }
				+ "72030a0178" // 14: item
				+ "7800"); // 15: 0
	}

	@Test
	void zerosAndEmptyValues_takeNoBytes() {
		Item value = new Item(null, 0, 0, false, 0, 0, List.of(), null, Map.of(), null, null, null, null, null, null);
		assertThat(hex(Codecs.result(this.codec, value))).isEqualTo("0a00");
		assertThat(read("0a00")).isEqualTo(new Item(null, 0, 0, false, 0, 0, List.of(), List.of(), Map.of(), Set.of(),
				null, null, null, null, Optional.empty()));
		assertThat(hex(Codecs.result(this.codec, null))).isEmpty();
		assertThat(read("")).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					other order                | 0a07 109601 0a026869
					zeros written out          | 0a0b 1800 0a026869 109601 2000
					unknown fields of any type | 0a24 0a026869 a00601 a1060000000000000000 a2060161 a3060801a406 a50600000000 109601
					unknown field in front     | 0a0b f8ff7f01 0a026869 109601
					last of two scalars        | 0a0c 0a0178 1001 0a026869 109601
					varints longer than needed | 0a09 0a82006869 10968100
					""")
	void message_isReadAsAnyWriterWritesIt(String name, String bytes) {
		assertThat((Item) read(bytes)).extracting(Item::name, Item::count).containsExactly("hi", 150);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0a05 3a03018e02", "0a05 3801 388e02", "0a09 3a0101 1000 3a028e02", "0a06 3801 3a028e02" })
	void numbers_areReadPackedAndUnpackedAndInParts(String bytes) {
		assertThat(((Item) read(bytes)).numbers()).containsExactly(1, 270);
	}

	@Test
	void elementsAndEntries_areReadBetweenOtherFields() {
		Item value = (Item) read("0a1b 420161 1001 4a050a016b1002 420162 4a050a016c1003 520163 1002");
		assertThat(value.texts()).containsExactly("a", "b");
		assertThat(value.map()).containsExactly(Map.entry("k", 2L), Map.entry("l", 3L));
		assertThat(value.set()).containsExactly("c");
		assertThat(value.count()).isEqualTo(2);
	}

	@Test
	void entryWithoutKeyOrValue_hasZeros() {
		assertThat(((Item) read("0a02 4a00")).map()).containsExactly(Map.entry("", 0L));
		assertThat(((Item) read("0a04 4a02 1005")).map()).containsExactly(Map.entry("", 5L));
	}

	@ParameterizedTest
	@CsvSource({ "0a02 5800, ", "0a00, ", "0a02 5801, ONE", "0a02 5802, BOTH", "0a02 5809, OTHER",
			"0a0b 58ffffffffffffffffff01, OTHER" })
	void constant_isReadByItsNumber(String bytes, Kind kind) {
		assertThat(((Item) read(bytes)).kind()).isEqualTo(kind);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0a03 0a0261               | .name: length 2 (expected: at most the 1 bytes that remain)
			0a05 0a0261               | length 5 (expected: at most the 3 bytes that remain)
			0a03 0a01ff               | .name: text is not UTF-8
			0a05 0a03eda080           | .name: an unpaired surrogate at 0
			0a04 0a02c080             | .name: text is not UTF-8
			0a02 0801                 | .name: wire type 0 (expected: 2)
			0a03 120161               | .count: wire type 2 (expected: 0)
			0a0e 10ffffffffffffffffffff01 1001 | .count: number of more than 64 bits
			0a02 10ff                 | .count: the bytes end too early
			0a05 3a03018e82           | .numbers[1]: the bytes end too early
			0a02 4801                 | .map: wire type 0 (expected: 2)
			0a07 4a050a01ff1002       | .map{}: text is not UTF-8
			0a06 520161 520161        | .set: 2 elements of which some are equal
			0a08 620608ffffffffff     | .at: the bytes end too early
			0a08 620610ffffffff0f     | .at: 0 s and -1 ns
			0a06 6a040801 10ff        | the bytes end too early
			0a08 72030a0178 720178    | the bytes end too early
			0a01 00                   | field number 0
			0a02 a406                 | tag 804 (expected: the start of a value)
			0a03 a60601               | tag 806 (expected: a wire type of 0 to 5)
			0a03 a30600               | field number 0
			0a04 a306 ac06            | tag 812
			10                        | the bytes end too early
			0d00000000                | wire type 5 (expected: 2)
			""")
	void garbage_isRefusedWithItsPath(String bytes, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(bytes))
			.withMessageContaining("Service.get(")
			.withMessageContaining(message);
	}

	/** A constant that this side does not know is null, which such a list cannot hold. */
	@Test
	void unknownConstantOfChoice_isRefusedAsElement() {
		MethodCodec choices = Codecs.method(Service.class, "choices");
		byte[] known = Codecs.result(choices, List.of(Side.LEFT));
		assertThat(Codecs.read(choices, known)).isEqualTo(List.of(Side.LEFT));
		known[known.length - 1] = 9;
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.read(choices, known))
			.withMessageContaining("[0]: null (expected: a value");
	}

	@Test
	void nesting_isBoundedInBothDirections() {
		Item deep = item("leaf");
		for (int i = 0; i < 70; i++) {
			deep = new Item("", 0, 0, false, 0, 0, null, null, null, null, null, null, null, deep, null);
		}
		Item value = deep;
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(this.codec, value))
			.withMessageContaining("nested deeper than 64 levels");
		byte[] bytes = {};
		for (int i = 0; i < 100; i++) {
			int at = (bytes.length < 128) ? 2 : 3;
			byte[] outer = new byte[bytes.length + at];
			outer[0] = (byte) ((i == 99) ? 0x0a : 0x72);
			outer[1] = (byte) ((at == 2) ? bytes.length : bytes.length & 0x7F | 0x80);
			if (at == 3) {
				outer[2] = (byte) (bytes.length >>> 7);
			}
			System.arraycopy(bytes, 0, outer, at, bytes.length);
			bytes = outer;
		}
		byte[] message = bytes;
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.read(this.codec, message))
			.withMessageContaining("nested deeper than 64 levels");
	}

	@Test
	void cycle_isRefusedByName() {
		Knot knot = new Knot();
		knot.next = knot;
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(Codecs.method(Service.class, "knot"), knot))
			.withMessageContaining("a cycle")
			.withMessageContaining("Knot leads back to itself");
	}

	/** Lengths of all sizes, first growing and then shrinking. */
	@Test
	void lengths_areMovedAsNeeded() {
		List<Integer> sizes = List.of(0, 1, 125, 126, 127, 128, 129, 16_370, 16_380, 16_384, 16_390, 70_000, 5, 200, 0);
		for (int size : sizes) {
			Item value = new Item("x".repeat(size), 1, 0, false, 0, 0, List.of(), List.of(), Map.of(), Set.of(), null,
					null, null, item("é".repeat(size)), Optional.empty());
			assertThat(Codecs.read(this.codec, Codecs.result(this.codec, value))).isEqualTo(value);
		}
	}

	@Test
	void message_fitsTheLimitToTheByte() {
		for (int size : List.of(3, 120, 20_000, 130, 1)) {
			Item value = new Item("x".repeat(size), 1, 0, false, 0, 0, List.of(), List.of("a"), Map.of("k", 1L),
					Set.of(), null, null, null, item("y"), Optional.empty());
			byte[] bytes = Codecs.result(this.codec, value);
			OutputBuffer exact = new OutputBuffer(new byte[0], bytes.length);
			this.codec.serializeResult(value, exact);
			assertThat(exact.toByteArray()).isEqualTo(bytes);
			OutputBuffer small = new OutputBuffer(new byte[0], bytes.length - 1);
			assertThatExceptionOfType(MessageTooLargeException.class)
				.isThrownBy(() -> this.codec.serializeResult(value, small));
		}
	}

	@Test
	void message_isWrittenBehindTheContentOfTheBuffer() {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		out.write(new byte[] { 1, 2, 3, 4, 5 }, 0, 5);
		this.codec.serializeResult(item("x"), out);
		assertThat(hex(out.toByteArray())).isEqualTo("0102030405" + "0a03" + "0a0178");
	}

	@Test
	void longResult_hasItsLengthInFront_inABufferWithAnOverflow() {
		Item value = item("x".repeat(3 * OutputBuffer.WINDOW));
		OutputBuffer out = new OutputBuffer(new byte[16], LIMIT);
		out.overflow((source, offset, length) -> {
			throw new AssertionError("handed over within a message: " + length);
		});
		this.codec.serializeResult(value, out);
		assertThat(out.toByteArray()).isEqualTo(Codecs.result(this.codec, value));
		assertThat(out.overflow()).isNotNull();
	}

	@Test
	void parameters_areNumberedInOrder() {
		MethodCodec put = Codecs.method(Service.class, "put");
		byte[] bytes = Codecs.arguments(put, 5L, "a", new int[] { 1, 2 });
		assertThat(hex(bytes)).isEqualTo("0805" + "120161" + "1a020102");
		assertThat(put.deserializeArguments(bytes, 0, bytes.length)).usingRecursiveComparison()
			.isEqualTo(new Object[] { 5L, "a", new int[] { 1, 2 } });
		assertThat(put.deserializeArguments(new byte[0], 0, 0)).usingRecursiveComparison()
			.isEqualTo(new Object[] { 0L, null, new int[0] });
		assertThat(Codecs.result(put, null)).isEmpty();
		assertThat(put.deserializeResult(new byte[] { 8, 1 }, 0, 2)).isNull();
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.arguments(put, null, "a", null))
			.withMessageContaining("null (expected: long)");
	}

	@Test
	void exception_isAnyWithTheNameOfItsMessage() {
		MethodCodec put = Codecs.method(Service.class, "put");
		byte[] bytes = Codecs.exception(put, new Refused("no", 7));
		assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).contains(
				"type.googleapis.com/io.rpcboot.internal.serialization.protobuf.ProtobufWireTests.ProtobufWireTestsRefused");
		assertThat(put.deserializeException(bytes, 0, bytes.length)).isInstanceOf(Refused.class)
			.hasMessage("no")
			.extracting("code")
			.isEqualTo(7);
		byte[] subclass = Codecs.exception(put, new Refused("sub", 8) {
		});
		assertThat(put.deserializeException(subclass, 0, subclass.length)).hasMessage("sub")
			.isExactlyInstanceOf(Refused.class);
		assertThat(Codecs.exception(put, new IllegalStateException())).isNull();
		byte[] other = HexFormat.of().parseHex("0a04782f792e");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> put.deserializeException(other, 0, other.length))
			.withMessageContaining("'x/y.' (expected: one of the declared exceptions");
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> put.deserializeException(other, 0, 0))
			.withMessageContaining("none of the declared exceptions");
	}

	/** Kinds of items. */
	public enum Kind {

		ONE, BOTH, @RpcEnumDefault
		OTHER

	}

	/** Everything once. */
	public record Item(String name, int count, long large, boolean flag, float single, double real,
			List<Integer> numbers, List<String> texts, Map<String, Long> map, Set<String> set, Kind kind, Instant at,
			Duration lasting, Item next, Optional<Integer> perhaps) {
	}

	/** A choice of an enum alone. */
	public sealed interface Choice permits Side {

	}

	/** The enum. */
	public enum Side implements Choice {

		LEFT, RIGHT

	}

	/** A bean that can hold itself. */
	public static class Knot {

		public Knot next;

		public List<Knot> others = new ArrayList<>();

	}

	/** A declared exception. */
	public static class Refused extends Exception {

		private static final long serialVersionUID = 1L;

		private final int code;

		public Refused(String message, int code) {
			super(message);
			this.code = code;
		}

		public int code() {
			return this.code;
		}

	}

	/** The methods. */
	public interface Service {

		Item get(Item item);

		Knot knot(Knot knot);

		List<Choice> choices();

		void put(long id, String text, int[] numbers) throws Refused;

	}

}
