package io.rpcboot.internal.serialization.protostuff.wire;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.protostuff.Exclude;
import io.protostuff.Tag;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.protostuff.Codecs;
import io.rpcboot.serialization.zoo.Zoo;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The bytes, drawn: first tag {@code number << 3 | wire type}, then value.
 */
public class WireTests {

	@Test
	void record_isEncodedAsGroup() {
		// field 1 group, 1 varint 1, 2 varint 300, end
		assertBytes("point", new Point(1, 300), "0b 08 01 10 ac 02 0c");
	}

	@Test
	void negativeInteger_isEncodedInTenBytes() {
		assertBytes("integer", -1, "08 ff ff ff ff ff ff ff ff ff 01");
	}

	@Test
	void text_isEncodedAsUtf8() {
		assertBytes("string", "a中", "0a 04 61 e4 b8 ad");
	}

	@Test
	void loneSurrogate_isEncodedInThreeBytes() {
		assertBytes("string", "\ud83d", "0a 03 ed a0 bd");
	}

	@Test
	void enumConstant_isEncodedAsOrdinal() {
		assertBytes("colour", Colour.BLUE, "08 02");
	}

	@Test
	void list_isEncodedAsRepeatedField() {
		assertBytes("strings", List.of("a", "b"), "0a 01 61 0a 01 62");
	}

	@Test
	void emptyListAndNullElement_areEncodedAsMarkers() {
		assertBytes("strings", List.of(), "0e 00");
		assertBytes("strings", Arrays.asList("a", null), "0a 01 61 0e 01");
	}

	@Test
	void nestedLists_areEncodedAsGroups() {
		assertBytes("nested", List.of(List.of(List.of(7), List.of())), "0b 0b 08 07 0c 0b 0c 0c");
	}

	@Test
	void map_isEncodedAsGroupOfEntries() {
		assertBytes("map", Map.of("a", 1), "0b 0b 0a 01 61 10 01 0c 0c");
		assertBytes("map", Map.of(), "0b 0c");
	}

	@Test
	void nullComponents_areOmitted() {
		assertBytes("pair", new Pair<>(null, null), "0b 0c");
	}

	@Test
	void taggedFields_useTheirNumbersAndExcludedFieldsAreOmitted() {
		MethodCodec codec = Codecs.method(TaggedService.class, "tagged");
		Tagged value = new Tagged();
		value.first = "a";
		value.second = 5;
		value.third = 6;
		value.excluded = "secret";
		// 2: "a"; 16: 6; 2000000: 5
		assertThat(HexFormat.ofDelimiter(" ").formatHex(Codecs.result(codec, value)))
			.isEqualTo("0b 12 01 61 80 01 06 80 c8 d0 07 05 0c");
		Tagged result = Codecs.echo(codec, value);
		assertThat(result.second).isEqualTo(5);
		assertThat(result.excluded).isEqualTo("default");
	}

	@Test
	void wideClass_roundTrips_withMoreFieldsThanOneHandleTakes() {
		MethodCodec codec = Codecs.method(TaggedService.class, "wide");
		Wide value = new Wide();
		value.a1 = -1;
		value.a17 = 17;
		value.a20 = 20;
		value.t1 = "first";
		value.t16 = "last";
		value.l2 = List.of("x");
		assertThat(Codecs.echo(codec, value)).usingRecursiveComparison().isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "12345678", "中文字", "xxx中", "é" })
	void message_isAccepted_whenItFillsLimitExactly(String part) {
		MethodCodec codec = Codecs.method(Zoo.class, "strings");
		List<String> value = List.of(part, "x".repeat(200) + part, part);
		int size = Codecs.result(codec, value).length;
		OutputBuffer buffer = new OutputBuffer(new byte[0], size);
		codec.serializeResult(value, buffer);
		assertThat(buffer.length()).isEqualTo(size);
		for (int limit = 0; limit < size; limit++) {
			OutputBuffer small = new OutputBuffer(new byte[limit], limit);
			assertThatExceptionOfType(MessageTooLargeException.class)
				.isThrownBy(() -> codec.serializeResult(value, small));
		}
	}

	@Test
	void numbers_areAccepted_whenTheyFillLimitExactly() {
		MethodCodec codec = Codecs.method(Zoo.class, "users");
		Object page = new UserServiceImpl().listUser(1);
		byte[] bytes = Codecs.result(codec, page);
		OutputBuffer buffer = new OutputBuffer(new byte[0], bytes.length);
		codec.serializeResult(page, buffer);
		assertThat(buffer.toByteArray()).isEqualTo(bytes);
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> codec.serializeResult(page, new OutputBuffer(new byte[0], bytes.length - 1)))
			.satisfies((ex) -> assertThat(ex.limit()).isEqualTo(bytes.length - 1));
	}

	@Test
	void message_isAppendedToBuffer() {
		MethodCodec codec = Codecs.method(Zoo.class, "string");
		OutputBuffer buffer = new OutputBuffer(new byte[] { 1, 2, 3, 4 }, 100);
		buffer.position(3);
		codec.serializeResult("a", buffer);
		assertThat(buffer.toByteArray()).containsExactly(1, 2, 3, 0x0a, 1, 'a');
	}

	private static void assertBytes(String type, Object value, String hex) {
		MethodCodec codec = Codecs.method(Zoo.class, type);
		assertThat(HexFormat.ofDelimiter(" ").formatHex(Codecs.result(codec, value))).isEqualTo(hex);
		assertThat(Codecs.echo(codec, value)).isEqualTo(value);
	}

	public interface TaggedService {

		Tagged tagged();

		Wide wide();

	}

	public static class Wide {

		int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20;

		String t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16;

		List<String> l1, l2, l3;

	}

	public static class Tagged {

		@Tag(2_000_000)
		private int second;

		@Tag(2)
		private String first;

		@Exclude
		private String excluded = "default";

		@Tag(16)
		private long third;

	}

}
