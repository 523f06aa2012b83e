package io.rpcboot.internal.protocol.http2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HpackDecoderTests {

	private static final int MAX_LIST = 1000;

	private final RecordingResolver resolver = new RecordingResolver();

	private final HpackDecoder decoder = new HpackDecoder(this.resolver, MAX_LIST);

	private final List<HeaderField> fields = new ArrayList<>();

	private boolean complete;

	private void decode(String hex) {
		byte[] block = HexFormat.of().parseHex(hex.replace(" ", ""));
		this.fields.clear();
		// around the block: a size update, which must not be read
		byte[] in = HexFormat.of().parseHex("20" + HexFormat.of().formatHex(block) + "20");
		this.complete = this.decoder.decode(in, 1, in.length - 1, this.fields::add);
	}

	private List<String> texts() {
		return this.fields.stream().map((field) -> field.name() + ": " + field.value()).toList();
	}

	/** A literal with indexing. */
	private static String entry(String name, String value) {
		return "40" + string(name) + string(value);
	}

	private static String string(String text) {
		String length = (text.length() < 127) ? "%02x".formatted(text.length())
				: "7f%02x%02x".formatted(((text.length() - 127) & 0x7f) | 0x80, (text.length() - 127) >>> 7);
		return length + HexFormat.of().formatHex(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	@ParameterizedTest
	@CsvSource({ "80, index 0", "be, index behind the empty table", "c0, index behind the table", "ff 00 00, index 127",
			"ff ff ff ff ff ff, index of too many bits", "ff ff ff ff ff 0f, index of 32 bits", "ff, index that ends",
			"ff 80, index that ends later", "7e 00, name behind the table", "7f 80 80 80 80 00, name of too many bits",
			"40, ends before the name", "40 01, ends within the name", "40 01 61, ends before the value",
			"40 01 61 02 62, ends within the value", "00 7f, ends in a length",
			"00 7f ff ff ff ff 7f, length of too many bits", "00 7f ff ff ff 7f 61, length behind the block",
			"82 20, size behind a field", "3f e2 1f, size of 4097", "3f ff ff ff 7f, size of 28 bits",
			"3f ff ff ff ff 0f, size of 32 bits", "3f, size that ends", "00 81 ff 00, Huffman padding of 8 bits",
			"00 81 00 00, Huffman padding of zeros", "00 84 ff ff ff ff 00, Huffman end of string" })
	void malformedBlock_endsTheConnection(String hex, String what) {
		assertThatExceptionOfType(Http2Exception.class).as(what).isThrownBy(() -> decode(hex)).satisfies((ex) -> {
			assertThat(ex.error()).isEqualTo(Http2Error.COMPRESSION_ERROR);
			assertThat(ex.isConnectionError()).isTrue();
		});
	}

	@Test
	void emptyBlock_hasNoFields() {
		decode("");
		assertThat(this.complete).isTrue();
		assertThat(this.fields).isEmpty();
	}

	@Test
	void sizeUpdates_areAccepted_atTheBeginOfABlock() {
		decode(entry("a", "b"));
		decode("3f e1 1f 20 3f e1 1f 82");
		assertThat(texts()).containsExactly(":method: GET");
		assertThatExceptionOfType(Http2Exception.class).as("the table was emptied").isThrownBy(() -> decode("be"));
	}

	@Test
	void integers_areDecoded_withRedundantBytes() {
		decode("3f 9a 8a 80 00");
		decode(entry("a", "b"));
		decode("be");
		assertThat(texts()).containsExactly("a: b");
	}

	@Test
	void field_isResolvedOnce_whenItComesAgain() {
		decode(entry(":path", "/Users/Get") + entry("user-agent", "me"));
		HeaderField path = this.fields.get(0);
		decode("bf be 84 bf");
		assertThat(this.fields.get(0)).isSameAs(path).isSameAs(this.fields.get(3));
		assertThat(path.kind()).isEqualTo(RecordingResolver.PATH);
		assertThat(path.resolved()).isEqualTo(List.of("/Users/Get"));
		decode("84");
		assertThat(this.resolver.values).containsExactly("/Users/Get", "me", "/");
		assertThat(this.resolver.names).containsExactly(":path", "user-agent", ":path");
	}

	@Test
	void name_isResolvedOnce_whenOtherValuesReferToIt() {
		decode(entry("grpc-timeout", "1S"));
		for (int i = 0; i < 10; i++) {
			decode("0f 2f" + string(i + "m"));
			assertThat(this.fields.get(0).kind()).isEqualTo(RecordingResolver.TIMEOUT);
			assertThat(texts()).containsExactly("grpc-timeout: " + i + "m");
		}
		assertThat(this.resolver.names).containsExactly("grpc-timeout");
	}

	@Test
	void fieldOutsideOfTheTable_isResolvedOnce_whenTheNextIsTheSame() {
		decode(entry("grpc-timeout", "1S"));
		decode("0f 2f" + string("20m"));
		HeaderField timeout = this.fields.get(0);
		decode("0f 2f" + string("20m"));
		assertThat(this.fields).containsExactly(timeout);
		assertThat(this.resolver.values).containsExactly("1S", "20m");
		for (String other : List.of("0f 2f" + string("20S"), "0f 2f" + string("2m"), "0f 2f" + string(""),
				"1f 2f" + string(""), "0f 11" + string(""), "7e" + string(""))) {
			HeaderField before = this.fields.get(0);
			decode(other);
			assertThat(this.fields).as(other).doesNotContain(before);
		}
		decode("be");
		assertThat(texts()).containsExactly("grpc-timeout: ");
	}

	@Test
	void neverIndexedField_isMarked() {
		decode("10" + string("token") + string("secret") + "00" + string("a") + string("b"));
		assertThat(this.fields).extracting(HeaderField::isNeverIndexed).containsExactly(true, false);
		assertThatExceptionOfType(Http2Exception.class).as("neither is in the table").isThrownBy(() -> decode("be"));
	}

	@Test
	void bytes_areKept_asChars() {
		decode("00" + string("a") + string("\u00e9\u0080\u00ff"));
		assertThat(texts()).containsExactly("a: \u00e9\u0080\u00ff");
	}

	@Test
	void oldestFields_areEvicted_whenTheTableIsFull() {
		for (int i = 0; i < 200; i++) {
			decode(entry("n", "%03d".formatted(i)));
		}
		int size = 4096 / 36;
		decode("ff %02x".formatted(61 + size - 127));
		assertThat(texts()).containsExactly("n: %03d".formatted(200 - size));
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> decode("ff %02x".formatted(62 + size - 127)));
	}

	@Test
	void fieldLargerThanTheTable_emptiesIt() {
		decode(entry("a", "b"));
		decode(entry("a", "b".repeat(4096)));
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> decode("be"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 69, 70 })
	void table_isFull_toItsLastByte(int capacity) {
		decode("3f %02x".formatted(capacity - 31) + entry("a", "b") + entry("a", "bcd"));
		decode("be");
		if (capacity == 70) {
			decode("bf");
			assertThat(texts()).containsExactly("a: b");
		}
		else {
			assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> decode("bf"));
		}
	}

	@Test
	void smallestFields_fillTheTable() {
		StringBuilder block = new StringBuilder();
		for (int i = 0; i < 300; i++) {
			block.append("400000");
		}
		decode(block.toString());
		decode("ff 3e");
		assertThat(texts()).as("field 128 of 128").containsExactly(": ");
		assertThatExceptionOfType(Http2Exception.class).isThrownBy(() -> decode("ff 3f"));
	}

	@ParameterizedTest
	@ValueSource(ints = { MAX_LIST - 34 - 33, MAX_LIST - 34 - 33 + 1 })
	void list_isCounted_with32BytesForAField(int length) {
		decode("00" + string("a") + string("b".repeat(length)) + "00" + string("a") + string("b"));
		assertThat(this.complete).isEqualTo(length == MAX_LIST - 34 - 33);
		assertThat(this.fields).hasSize(this.complete ? 2 : 1);
	}

	@Test
	void tooLongBlock_isDecodedForTheTable() {
		decode("00" + string("a") + string("x".repeat(MAX_LIST)) + entry(":path", "/A") + "82" + entry("b", "c"));
		assertThat(this.complete).isFalse();
		assertThat(this.fields).isEmpty();
		decode("bf be");
		assertThat(this.complete).isTrue();
		assertThat(texts()).containsExactly(":path: /A", "b: c");
		assertThat(this.fields.get(0).resolved()).isEqualTo(List.of("/A"));
	}

	@Test
	void malformedString_isFound_inABlockThatIsTooLong() {
		assertThatExceptionOfType(Http2Exception.class)
			.isThrownBy(() -> decode("00" + string("a") + string("x".repeat(MAX_LIST)) + "00 81 ff 00"));
	}

	/** References to a field of 4,000 bytes are a list of 2.4 GB, more than an int. */
	@Test
	void bomb_makesNoObjects() {
		decode(entry("a", "x".repeat(4000)));
		assertThat(this.complete).isFalse();
		byte[] bomb = HexFormat.of().parseHex("be".repeat(600_000) + ("00" + string("a") + string("b")).repeat(1000));
		Consumer<HeaderField> none = (field) -> {
			throw new AssertionError("a field beyond the limit");
		};
		assertThat(LeastAllocated.by(() -> this.decoder.decode(bomb, 0, bomb.length, none), 1)).isLessThan(1000);
		assertThat(this.resolver.values).hasSize(1);
	}

	@Test
	void indexedFields_areDecoded_withoutAllocation() {
		decode(entry(":path", "/Users/Get") + entry("te", "trailers") + entry("content-type", "application/grpc"));
		byte[] block = HexFormat.of().parseHex("8386c0bfbe");
		int[] sum = new int[1];
		Consumer<HeaderField> consumer = (field) -> sum[0] += field.kind();
		Runnable task = () -> this.decoder.decode(block, 0, block.length, consumer);
		assertThat(LeastAllocated.by(task, 10_000)).as("bytes for each block").isZero();
		assertThat(sum[0]).isPositive();
	}

}
