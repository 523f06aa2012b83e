package io.rpcboot.internal.serialization.protostuff.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.Codecs;
import io.rpcboot.serialization.zoo.Zoo;
import io.rpcboot.serialization.zoo.ZooHierarchies.Circle;
import io.rpcboot.serialization.zoo.ZooHierarchies.Failed;
import io.rpcboot.serialization.zoo.ZooHierarchies.Named;
import io.rpcboot.serialization.zoo.ZooHierarchies.Ok;
import io.rpcboot.serialization.zoo.ZooHierarchies.Square;
import io.rpcboot.serialization.zoo.ZooHierarchies.Unit;
import io.rpcboot.serialization.zoo.ZooTypes.Account;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Mixed;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.serialization.zoo.ZooTypes.PointHolder;
import io.rpcboot.serialization.zoo.ZooTypes.Positive;
import io.rpcboot.serialization.zoo.ZooTypes.Primitives;
import io.rpcboot.serialization.zoo.ZooTypes.Tree;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Bytes of an attacker cause a {@link SerializationException} or an instance of the
 * declared type, and nothing else.
 */
public class HostileInputTests {

	private static final int MUTATIONS = 3000;

	@ParameterizedTest
	@MethodSource("messages")
	void truncatedMessage_isReadAlike_withinLargerArray(String type, byte[] message) {
		MethodCodec codec = Codecs.method(Zoo.class, type);
		for (int length = 0; length < message.length; length++) {
			byte[] exact = Arrays.copyOf(message, length);
			byte[] within = Arrays.copyOf(message, message.length + 10);
			assertThat(outcome(codec, within, 0, length)).isEqualTo(outcome(codec, exact, 0, length));
		}
	}

	private static String outcome(MethodCodec codec, byte[] bytes, int offset, int length) {
		try {
			return String.valueOf(codec.deserializeResult(bytes, offset, length) == null);
		}
		catch (SerializationException ex) {
			return ex.getMessage();
		}
	}

	@ParameterizedTest
	@MethodSource("structures")
	void truncatedStructure_isRejected_atEveryOffset(String type, byte[] message) {
		MethodCodec codec = Codecs.method(Zoo.class, type);
		for (int length = 1; length < message.length; length++) {
			int end = length;
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> codec.deserializeResult(message, 0, end));
		}
	}

	@ParameterizedTest
	@MethodSource("messages")
	void mutatedMessage_isReadOrRejected(String type, byte[] message) {
		MethodCodec codec = Codecs.method(Zoo.class, type);
		Random random = new Random(type.hashCode());
		int refused = 0;
		for (int i = 0; i < MUTATIONS; i++) {
			byte[] mutant = mutate(message, random);
			try {
				codec.deserializeResult(mutant, 0, mutant.length);
			}
			catch (SerializationException ex) {
				refused++;
				assertThat(ex).hasMessageContaining("Zoo." + type + "(");
			}
		}
		assertThat(refused).isPositive();
	}

	private static byte[] mutate(byte[] message, Random random) {
		byte[] mutant = Arrays.copyOf(message, message.length + random.nextInt(3));
		for (int i = random.nextInt(4); i >= 0; i--) {
			int at = random.nextInt(mutant.length);
			switch (random.nextInt(4)) {
				case 0 -> mutant[at] = (byte) random.nextInt(256);
				case 1 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
				case 2 -> mutant[at] = message[random.nextInt(message.length)];
				default -> System.arraycopy(mutant, at, mutant, 0, mutant.length - at);
			}
		}
		return mutant;
	}

	@Test
	void randomBytes_areReadOrRejectedForEveryType() {
		ServiceCodec service = Codecs.of(Zoo.class);
		Random random = new Random(42);
		for (MethodDescriptor method : ServiceDescriptor.of(Zoo.class).methods()) {
			MethodCodec codec = service.method(method.number());
			for (int i = 0; i < 300; i++) {
				byte[] bytes = new byte[random.nextInt(40)];
				random.nextBytes(bytes);
				if (bytes.length > 0 && random.nextBoolean()) {
					bytes[0] = (byte) (1 << 3 | random.nextInt(7));
				}
				refusedOrRead(() -> codec.deserializeResult(bytes, 0, bytes.length));
				refusedOrRead(() -> codec.deserializeArguments(bytes, 0, bytes.length));
			}
		}
	}

	private static void refusedOrRead(Runnable read) {
		try {
			read.run();
		}
		catch (SerializationException ex) {
			assertThat(ex).hasMessageStartingWith("io.rpcboot.serialization.zoo.Zoo.");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "string", "byteArray", "bigInteger", "strings", "uuid", "localDateTime" })
	void lengths_areCheckedAgainstRemainingBytes(String type) {
		MethodCodec codec = Codecs.method(Zoo.class, type);
		byte[][] lengths = { { 0x7F }, { -1, -1, -1, -1, 7 }, { -3, -1, -1, -1, 7 }, { -1, -1, -1, -1, 15 },
				{ -1, -1, -1, -1, -1, -1, -1, -1, -1, 1 }, { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1 } };
		for (byte[] length : lengths) {
			byte[] bomb = new byte[length.length + 10];
			bomb[0] = 1 << 3 | 2;
			System.arraycopy(length, 0, bomb, 1, length.length);
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> codec.deserializeResult(bomb, 0, bomb.length));
		}
	}

	@Test
	void nesting_isBounded() {
		MethodCodec codec = Codecs.method(Zoo.class, "tree");
		byte[] nested = new byte[200_000];
		Arrays.fill(nested, (byte) (2 << 3 | 3));
		nested[0] = 1 << 3 | 3;
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(nested, 0, nested.length))
			.withMessageEndingWith("nested deeper than 64 levels")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(400));
		Arrays.fill(nested, (byte) (1 << 3 | 3));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(nested, 0, nested.length));
	}

	@Test
	void unknownFields_areRejected() {
		MethodCodec codec = Codecs.method(Zoo.class, "point");
		assertRefused(codec, "result: unexpected field number 3 of wire type 0", 0x0b, 0x08, 1, 0x10, 2, 0x18, 3, 0x0c);
		assertRefused(codec, "unexpected field number 1", 0x0b, 0x10, 2, 0x08, 1, 0x0c);
		assertRefused(codec, "unexpected field number 1", 0x0b, 0x08, 1, 0x08, 1, 0x0c);
		assertRefused(codec, "unexpected field number 2 of wire type 4", 0x0b, 0x14);
		assertRefused(codec, "unexpected field number 1 of wire type 2", 0x0b, 0x0a, 0, 0x0c);
		assertRefused(codec, "field number 0", 0x0b, 0);
		assertRefused(codec, "1 bytes are left over", 0x0b, 0x0c, 0);
		assertRefused(codec, "2 bytes are left over", 0x08, 1);
		assertRefused(codec, "the bytes end too early", 0x0b, 0x08);
	}

	@Test
	void outOfRangeValues_areRejected() {
		assertRefused(Codecs.method(Zoo.class, "colour"), "constant number 3 of ", 0x08, 3);
		assertRefused(Codecs.method(Zoo.class, "booleans"), "boolean 2", 0x08, 2);
		assertRefused(Codecs.method(Zoo.class, "integer"), "number 34359738367 (expected: 32 bits)", 0x08, -1, -1, -1,
				-1, 0x7F);
		assertRefused(Codecs.method(Zoo.class, "bytes"), "number 128 (expected: a java.lang.Byte)", 0x08, 0x80, 1);
		assertRefused(Codecs.method(Zoo.class, "localDate"), "java.time.DateTimeException", 0x08, 2);
		assertRefused(Codecs.method(Zoo.class, "localTime"), "java.time.DateTimeException", 0x08, 0xF0, 1);
		assertRefused(Codecs.method(Zoo.class, "zoneId"), "java.time.zone.ZoneRulesException", 0x0a, 3, 'A', '/', 'B');
		assertRefused(Codecs.method(Zoo.class, "string"), "text is not UTF-8", 0x0a, 2, 0xC0, 0x80);
		assertRefused(Codecs.method(Zoo.class, "string"), "text is not UTF-8", 0x0a, 1, 0xE4, 0xB8, 0xAD);
		assertRefused(Codecs.method(Zoo.class, "string"), "text is not UTF-8", 0x0a, 4, 0xF5, 0x80, 0x80, 0x80);
		assertRefused(Codecs.method(Zoo.class, "strings"), "result[1]: marker 0", 0x0a, 0, 0x0e, 0);
		assertRefused(Codecs.method(Zoo.class, "strings"), "result[0]: marker 9", 0x0e, 9);
		assertRefused(Codecs.method(Zoo.class, "treeSet"), "result[0]: null, or a constant", 0x0e, 1);
	}

	@Test
	void failingConstructor_isNamed() {
		MethodCodec codec = Codecs.method(Service.class, "positives");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(new byte[] { 0x0b, 0x08, 1, 0x0c, 0x0b, 0x0c }, 0, 6))
			.withMessageContaining("positives(): result[1]: the constructor of ")
			.withMessageEndingWith(
					"ZooTypes$Positive threw java.lang.IllegalArgumentException: value: 0 (expected: positive)")
			.withCauseInstanceOf(IllegalArgumentException.class);
	}

	@Test
	void range_mustLieWithinArray() {
		MethodCodec codec = Codecs.method(Zoo.class, "point");
		assertThatIllegalArgumentException().isThrownBy(() -> codec.deserializeResult(new byte[5], 3, 3));
		assertThatIllegalArgumentException().isThrownBy(() -> codec.deserializeResult(new byte[5], 3, -1));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> codec.deserializeResult(new byte[5], 3, Integer.MAX_VALUE));
	}

	private static void assertRefused(MethodCodec codec, String message, int... bytes) {
		byte[] array = new byte[bytes.length];
		for (int i = 0; i < bytes.length; i++) {
			array[i] = (byte) bytes[i];
		}
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(array, 0, array.length))
			.withMessageContaining(message);
	}

	static Stream<Object[]> messages() {
		return Stream.of(message("users", new UserServiceImpl().listUser(1)),
				message("tree", Tree.of("a", Tree.of("b", Tree.of("c")), Tree.of("d"))),
				message("account", Account.of(7, Arrays.asList("a", null, "中"), "note")),
				message("pointHolder", PointHolder.of(new Point(1, -2))), message("primitives", Primitives.of(-99)),
				message("mixed",
						new Mixed((byte) -1, (short) -2, 'x', true, -3L, 1.5f, 2.5, "text", Colour.GREEN,
								new Point(3, 4), List.of(new Point(5, 6)))),
				message("mapOfLists", Map.of(new Point(1, 1), List.of(Map.of(Colour.RED, "r"), Map.of()))),
				message("nested", List.of(List.of(List.of(1, 2), List.of()), List.of())),
				message("sortedMap", new TreeMap<>(Map.of(LocalDate.EPOCH, new Point(1, 2)))),
				message("zonedDateTime", ZonedDateTime.parse("2026-02-03T04:05:06.789+01:00[Europe/Berlin]")),
				message("object",
						Map.of("k", Arrays.asList(new Point(1, 2), null, 1L, new TreeSet<>(Set.of("a")), Colour.RED), 2,
								Map.of(new Point(3, 4), List.of()))),
				message("shape", Named.of(new Circle(1.5), Unit.LINE, Named.of(Square.of("red")))),
				message("results",
						Map.of("a", new Ok<Number>(5), Colour.RED, new Ok<Number>(2.5), 1, new Failed<>("why"))),
				message("bigDecimal", new BigDecimal("-123456789012345678901234567890.5")));
	}

	/** Without the list, which is a shorter list when it ends between two elements. */
	static Stream<Object[]> structures() {
		return messages().filter((each) -> !each[0].equals("nested"));
	}

	private static Object[] message(String type, Object value) {
		return new Object[] { type, Codecs.result(Codecs.method(Zoo.class, type), value) };
	}

	public interface Service {

		List<Positive> positives();

	}

}
