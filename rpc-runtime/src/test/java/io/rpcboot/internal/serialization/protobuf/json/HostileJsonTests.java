package io.rpcboot.internal.serialization.protobuf.json;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

import io.rpcboot.engine.fixture.Load;
import io.rpcboot.fuzz.Bounds;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests that any JSON and any bytes are translated or refused, within the memory and the
 * time that their length allows.
 */
@Tag("rounds")
class HostileJsonTests {

	private static final String SINK = "sink.Sink";

	private static final int ROUNDS = Load.LONG ? 200_000 : 20_000;

	private static final int MEGA = 1 << 20;

	@ParameterizedTest
	@ValueSource(strings = { "{\"child\":", "{\"sinks\":[", "{\"byId\":{\"1\":", "{\"value\":[", "{\"struct\":{\"a\":[",
			"{\"any\":{\"@type\":\"a/sink.Sink\",\"any\":", "{\"unknown\":", "[", "{\"d\":" })
	void depth_isBounded(String level) {
		byte[] text = level.repeat(100_000).getBytes(StandardCharsets.UTF_8);
		for (ProtoJson each : List.of(Sinks.JSON, Sinks.LENIENT)) {
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.bytes(each, SINK, text));
		}
	}

	@Test
	void depthOf64Messages_isAccepted_andNotMore() {
		assertThat(Sinks.json(SINK, Sinks.bytes(SINK, nested(64)))).isEqualTo(nested(64));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.bytes(SINK, nested(65)))
			.withMessageContaining("nested deeper than 64 levels");
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> {
			byte[] bytes = {};
			for (int i = 0; i < 64; i++) {
				OutputBuffer out = new OutputBuffer(new byte[1], Sinks.LIMIT);
				out.write(new byte[] { (byte) 0x8A, 1 }, 0, 2);
				for (int rest = bytes.length; rest != 0; rest >>>= 7) {
					out.write(new byte[] { (byte) (rest & 0x7F | (rest > 0x7F ? 0x80 : 0)) }, 0, 1);
				}
				out.write(bytes.length == 0 ? new byte[1] : bytes, 0, Math.max(1, bytes.length));
				bytes = out.toByteArray();
			}
			Sinks.json(SINK, bytes);
		}).withMessageContaining("nested deeper than 64 levels");
	}

	private static String nested(int levels) {
		return "{\"child\":".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "d", "f", "i32", "i64", "u64", "colour", "at", "lasts", "yes" })
	void longNumber_isRefused(String field) {
		for (String quote : List.of("", "\"")) {
			for (String number : List.of("1".repeat(MEGA), "0.".concat("0".repeat(MEGA)), "1e" + "9".repeat(MEGA))) {
				assertThatExceptionOfType(SerializationException.class)
					.isThrownBy(() -> Sinks.bytes(SINK, "{\"%s\":%s%s%2$s}".formatted(field, quote, number)))
					.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(300));
			}
		}
	}

	/** Values whose bytes are longer than their JSON. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			{"ds":[        | 0,   | 0]}
			{"fs":[        | 1,   | 1]}
			{"list":[      | 1,   | 1]}
			{"values":[    | [],  | 0]}
			{"wLongs":[    | 1,   | 1]}
			{"sinks":[     | {},  | {}]}
			{"texts":[     | "",  | ""]}
			{"anys":[      | {},  | {}]}
			{"textValue":" | a    | "}
			{"blob":"      | AAAA | "}
			{"counts":{    | "#":0, | "":1}}
			{"struct":{    | "#":0, | "":1}}
			""")
	void memory_isBounded(String head, String element, String tail) {
		StringBuilder text = new StringBuilder(head);
		for (int i = 0; text.length() < 2 * MEGA; i++) {
			text.append(element.replace("#", Integer.toString(i, 36)));
		}
		byte[] json = text.append(tail).toString().getBytes(StandardCharsets.UTF_8);
		Bounds.check(json.length, () -> Sinks.bytes(Sinks.JSON, SINK, json));
	}

	@Test
	void pathsOfAMask_areBounded() {
		byte[] json = "{\"mask\":\"%s\"}".formatted("a,".repeat(MEGA)).getBytes(StandardCharsets.UTF_8);
		Bounds.check(json.length, () -> assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Sinks.bytes(Sinks.JSON, SINK, json)));
	}

	@Test
	void limitOfMessages_isKept() {
		ProtoJson small = ProtoJson.of(Sinks.FILES, false, 100);
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		byte[] json = ("{\"ds\":[" + "0,".repeat(20) + "0]}").getBytes(StandardCharsets.UTF_8);
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> small.message(SINK).toProtobuf(json, 0, json.length, out));
	}

	@Test
	void keysWithEqualHashCodes_areReadInTime() {
		StringBuilder text = new StringBuilder("{\"counts\":{\"\":0");
		for (int i = 0; i < 1 << 14; i++) {
			text.append(",\"");
			for (int bit = 0; bit < 14; bit++) {
				text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
			}
			text.append("\":1");
		}
		String json = text.append("}}").toString();
		assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Sinks.bytes(SINK, json));
	}

	/** Each level would read the rest once more to find its type. */
	@Test
	void typesBehindTheirValues_areFoundInTime() {
		String value = "\"textValue\":\"%s\"".formatted("a".repeat(MEGA));
		for (int i = 0; i < 30; i++) {
			value = "\"any\":{%s,\"@type\":\"a/sink.Sink\"}".formatted(value);
		}
		String json = "{" + value + "}";
		assertTimeoutPreemptively(Duration.ofSeconds(20), () -> result(() -> Sinks.bytes(SINK, json)));
	}

	/** Bytes in an order that is sorted at each level. */
	@Test
	void unsortedMessages_areWrittenInTime() {
		byte[] bytes = new byte[2 * MEGA];
		for (int i = 0; i < bytes.length; i += 4) {
			bytes[i] = 3 << 3;
			bytes[i + 1] = 1;
			bytes[i + 2] = 4 << 3;
			bytes[i + 3] = 1;
		}
		for (int i = 0; i < 20; i++) {
			byte[] outer = new byte[bytes.length + 10];
			int start = put(outer, 0, 17 << 3 | 2, bytes.length);
			System.arraycopy(bytes, 0, outer, start, bytes.length);
			outer[start + bytes.length] = 3 << 3;
			bytes = Arrays.copyOf(outer, start + bytes.length + 2);
		}
		byte[] nested = bytes;
		assertTimeoutPreemptively(Duration.ofSeconds(20), () -> result(() -> Sinks.json(SINK, nested)));
		Bounds.check(nested.length, () -> result(() -> Sinks.json(SINK, nested)));
	}

	private static int put(byte[] target, int at, int... varints) {
		int index = at;
		for (int each : varints) {
			int rest = each;
			for (; rest > 0x7F; rest >>>= 7) {
				target[index++] = (byte) (rest | 0x80);
			}
			target[index++] = (byte) rest;
		}
		return index;
	}

	@Test
	void editedJson_isReadOrRefused() {
		List<byte[]> seeds = ProtoJsonTests.accepted().map((each) -> each.getBytes(StandardCharsets.UTF_8)).toList();
		Random random = new Random(1);
		int read = 0;
		for (int i = 0; i < ROUNDS; i++) {
			byte[] json = edit(seeds.get(random.nextInt(seeds.size())), seeds.get(random.nextInt(seeds.size())),
					random);
			for (ProtoJson each : List.of(Sinks.JSON, Sinks.LENIENT)) {
				byte[] bytes = result(() -> Sinks.bytes(each, SINK, json));
				if (bytes != null) {
					read++;
					assertThatNoException().as(new String(json, StandardCharsets.UTF_8))
						.isThrownBy(() -> Sinks.json(SINK, bytes));
					Sinks.read(SINK, bytes);
				}
			}
		}
		assertThat(read).isBetween(ROUNDS / 20, ROUNDS * 2 - ROUNDS / 20);
	}

	@Test
	void editedBytes_areWrittenOrRefused() {
		List<byte[]> seeds = ProtoJsonTests.accepted().map((each) -> Sinks.bytes(SINK, each)).toList();
		Random random = new Random(2);
		int written = 0;
		for (int i = 0; i < ROUNDS; i++) {
			byte[] bytes = edit(seeds.get(random.nextInt(seeds.size())), seeds.get(random.nextInt(seeds.size())),
					random);
			String json = result(() -> Sinks.json(SINK, bytes));
			written += (json != null) ? 1 : 0;
		}
		assertThat(written).isBetween(ROUNDS / 20, ROUNDS - ROUNDS / 20);
	}

	private static byte[] edit(byte[] seed, byte[] other, Random random) {
		byte[] bytes = seed.clone();
		for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
			int at = random.nextInt(bytes.length);
			switch (random.nextInt(6)) {
				case 0 -> bytes[at] = (byte) random.nextInt();
				case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
				case 2 -> bytes = Arrays.copyOf(bytes, at);
				case 3 -> bytes[at] = bytes[random.nextInt(bytes.length)];
				case 4 -> {
					byte[] both = Arrays.copyOf(bytes, at + other.length);
					System.arraycopy(other, 0, both, at, other.length);
					bytes = both;
				}
				default -> {
					byte[] both = Arrays.copyOf(bytes, bytes.length + other.length);
					System.arraycopy(bytes, at, both, at + other.length, bytes.length - at);
					System.arraycopy(other, 0, both, at, other.length);
					bytes = both;
				}
			}
		}
		return bytes;
	}

	/** Returns null if the message is refused. Any other exception fails the test. */
	private static <T> T result(Supplier<T> task) {
		try {
			return task.get();
		}
		catch (SerializationException ex) {
			assertThat(ex.getMessage()).isNotEmpty();
			return null;
		}
	}

}
