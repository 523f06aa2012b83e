package io.rpcboot.internal.serialization.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.TimestampProto;
import io.rpcboot.RpcMethod;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.fuzz.Bounds;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that messages in several parts are merged as protobuf's readers do, with
 * protobuf-java as the oracle.
 */
public class MergedMessagesTests {

	private static final int PARTS = 1_000_000;

	private final MethodCodec codec = Codecs.method(Merging.class, "get");

	/**
	 * Bytes by a short form: hex digits, texts in quotes, and in brackets what has its
	 * length in front.
	 */
	private static byte[] bytes(String form) {
		return bytes(form, new int[1]);
	}

	private static byte[] bytes(String form, int[] at) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		while (at[0] < form.length()) {
			char next = form.charAt(at[0]++);
			if (next == ']') {
				break;
			}
			if (next == '[') {
				byte[] within = bytes(form, at);
				out.write(within.length);
				out.writeBytes(within);
			}
			else if (next == '"') {
				String text = form.substring(at[0], form.indexOf('"', at[0]));
				at[0] += text.length() + 1;
				out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
			}
			else if (next != ' ') {
				out.write(HexFormat.fromHexDigits(form, at[0] - 1, at[0] + 1));
				at[0]++;
			}
		}
		return out.toByteArray();
	}

	private Whole read(String form) {
		return (Whole) Codecs.read(this.codec, bytes(form));
	}

	/** Reads what protobuf-java makes of the same bytes: each field in one part. */
	private Whole readByOracle(byte[] message) throws Exception {
		Descriptor type = type("Get");
		return (Whole) Codecs.read(this.codec, DynamicMessage.parseFrom(type, message).toByteArray());
	}

	private static Descriptor type(String method) throws Exception {
		FileDescriptor file = FileDescriptor.buildFrom(
				FileDescriptorProto.parseFrom(Codecs.file(Merging.class).descriptor().descriptor()),
				new FileDescriptor[] { TimestampProto.getDescriptor(), DurationProto.getDescriptor(),
						EmptyProto.getDescriptor() });
		return file.getServices().get(0).findMethodByName(method).getOutputType();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					the response's value in parts  | 0a[0a["a"]] 0a[0a["b"]] 0a[1005]
					no bytes in a part             | 0a[0a["a"]] 0a[]
					last of two scalars            | 0a[1001 1002] 0a[] 0a[1003]
					a zero after a number          | 0a[1005] 0a[1000]
					lists and arrays are appended  | 0a[1a["a"] 22[0102] 2a[01]] 0a[1a["b"] 22[03] 2a[02] 2005] 0a[2004 2005 2006]
					arrays in many parts           | 0a[2001 1001 2002 1002 22[0304] 1003 2005 2006 1004 22[07] 1005 22[080901]]
					a nested message               | 0a[32[0a["a"] 1a["b"]]] 0a[32[1007] 32[1a["c"]]]
					two levels of nesting          | 0a[32[32[0a["a"]]]] 0a[32[32[1009]]]
					an optional message            | 0a[72[0a["a"]] 72[1007]] 0a[72[1008]]
					lists of lists                 | 0a[7a[0a["a"]] 7a[0a["b"]]] 0a[7a[0a["c"] 0a["d"]]]
					one key in two entries         | 0a[3a[0a["a"] 1001] 3a[0a["b"] 1002]] 0a[3a[0a["a"] 1003]]
					key and value twice in a map   | 0a[3a[0a["a"] 1001 1002 0a["b"]]]
					a message as a map's value     | 0a[42[0801 12[0a["b"]] 12[1005]]]
					a key again with a message     | 0a[42[0801 12[0a["b"]]]] 0a[42[0801 12[1005]]]
					one member of a oneof          | 0a[4a[0a[0805]]] 0a[4a[0a[12["a"]]]]
					another member of a oneof      | 0a[4a[0a[0805]]] 0a[4a[12[0a["a"]]]] 0a[4a[0a[12["b"]]]]
					a message within a oneof       | 0a[4a[12[12[0a["a"]]]]] 0a[4a[12[12[1005]]]]
					parts of times                 | 0a[52[0805 1007] 5a[0805]] 0a[52[1008] 5a[1009]] 0a[52[0806]]
					a date and an id again         | 0a[62["2026-01-02"]] 0a[62["2026-01-03"]]
					""")
	void parts_areMerged_asByProtobufJava(String name, String form) throws Exception {
		byte[] message = bytes(form);
		assertThat(Codecs.read(this.codec, message)).usingRecursiveComparison().isEqualTo(readByOracle(message));
	}

	/** Random values, each a part of the response, which hold parts of messages. */
	@Test
	@Tag("rounds")
	void randomParts_areMerged_asByProtobufJava() throws Exception {
		Random random = new Random(1);
		for (int i = 0; i < (Load.LONG ? 20_000 : 200); i++) {
			ByteArrayOutputStream parts = new ByteArrayOutputStream();
			for (int part = random.nextInt(6); part >= 0; part--) {
				parts.writeBytes(Codecs.result(this.codec, whole(random, 3)));
			}
			byte[] message = parts.toByteArray();
			assertThat(Codecs.read(this.codec, message)).usingRecursiveComparison().isEqualTo(readByOracle(message));
		}
	}

	private static @Nullable Whole whole(Random random, int depth) {
		if (depth == 0 || random.nextInt(4) == 0) {
			return null;
		}
		Map<String, Long> numbers = new LinkedHashMap<>();
		Map<Integer, Whole> parts = new TreeMap<>();
		for (int i = random.nextInt(3); i > 0; i--) {
			numbers.put(text(random), random.nextLong());
			parts.put(random.nextInt(3), Objects.requireNonNullElseGet(whole(random, depth - 1), Whole::empty));
		}
		return new Whole(maybe(random, () -> text(random)), random.nextInt(3) * random.nextInt(),
				random.ints(random.nextInt(3)).mapToObj(Integer::toString).toList(),
				random.ints(random.nextInt(4)).toArray(), random.longs(random.nextInt(3)).boxed().toList(),
				whole(random, depth - 1), numbers, parts, choice(random, depth - 1),
				maybe(random, () -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(2) * random.nextInt(999))),
				// seconds of one part and nanoseconds of another have one sign, or are
				// refused
				maybe(random, () -> Duration.ofNanos(random.nextInt(Integer.MAX_VALUE) * 1000L)),
				maybe(random, () -> LocalDate.ofEpochDay(random.nextInt(20_000))),
				maybe(random, () -> new UUID(random.nextLong(), random.nextLong())),
				Optional.ofNullable(whole(random, depth - 1)), List.of(List.of(text(random))));
	}

	private static <T> @Nullable T maybe(Random random, Supplier<T> value) {
		return random.nextBoolean() ? value.get() : null;
	}

	private static String text(Random random) {
		return Integer.toString(random.nextInt(5));
	}

	private static @Nullable Choice choice(Random random, int depth) {
		return switch (random.nextInt(4)) {
			case 0 -> new Left(random.nextInt(3), maybe(random, () -> text(random)));
			case 1 -> new Right(maybe(random, () -> text(random)), whole(random, depth));
			default -> null;
		};
	}

	@Test
	void oneof_mergesItsMember_andReplacesAnother() {
		assertThat(read("0a[4a[0a[0801]]] 0a[4a[0a[12[\"a\"]]]]").choice()).isEqualTo(new Left(1, "a"));
		assertThat(read("0a[4a[0a[0801]]] 0a[4a[12[0a[\"b\"]]]]").choice()).isEqualTo(new Right("b", null));
		assertThat(read("0a[4a[0a[0801] 12[0a[\"b\"]]]] 0a[4a[0a[12[\"c\"]]]]").choice()).isEqualTo(new Left(0, "c"));
	}

	@Test
	void oneof_isRefused_withoutAMemberThatIsKnown() {
		String expected = " (expected: one of the numbers 1, 2, which META-INF/rpc/protobuf.lock fixes)";
		assertRefused("0a[4a[]]", "no subtype of " + Choice.class.getName() + expected);
		assertRefused("0a[4a[3a[]]]",
				"number 7, which is no subtype of " + Choice.class.getName() + " that this side knows" + expected);
		assertThat(read("0a[4a[3a[] 0a[]]]").choice()).isEqualTo(new Left(0, null));
		assertRefused("0a[4a[]]", "no subtype of");
	}

	/** Each part alone would be refused. */
	@Test
	void constructor_isCalledOnce_withAllParts() {
		MethodCodec strict = Codecs.method(Merging.class, "strict");
		Strict.CREATED.set(0);
		assertThat(Codecs.read(strict, bytes("0a[0a[\"a\"]] 0a[1005]"))).hasToString("Strict[name=a, count=5]");
		assertThat(Strict.CREATED).hasValue(1);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.read(strict, bytes("0a[0a[\"a\"]] 0a[]")))
			.withMessageContaining("count: 0");
	}

	@Test
	void values_areValidated_whenAllPartsAreRead() {
		String minusOne = "ffffffffffffffffff01";
		assertThat(read("0a[52[10" + minusOne + "] 52[1003]]").at()).isEqualTo(Instant.ofEpochSecond(0, 3));
		assertThat(read("0a[5a[08" + minusOne + "] 5a[10" + minusOne + "]]").lasting())
			.isEqualTo(Duration.ofSeconds(-1, -1));
		assertThat(read("0a[5a[10" + minusOne + "] 5a[08" + minusOne + "] 5a[1000]]").lasting())
			.isEqualTo(Duration.ofSeconds(-1));
		assertThat(read("0a[62[\"2026-02-30\"] 62[\"2026-02-28\"]]").date()).isEqualTo(LocalDate.of(2026, 2, 28));
		assertThat(read("0a[6a[\"x\"] 6a[\"00000000-0000-0001-0000-000000000002\"]]").id()).isEqualTo(new UUID(1, 2));
		assertRefused("0a[52[10" + minusOne + "]]", ".at: 0 s and -1 ns");
		assertRefused("0a[62[\"2026-02-28\"] 62[\"2026-02-30\"]]", ".date: ");
		assertRefused("0a[6a[\"00000000-0000-0001-0000-000000000002\"] 6a[\"x\"]]", ".id: ");
	}

	private void assertRefused(String form, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(form))
			.withMessageContaining(message);
	}

	@Test
	void request_isMerged_inPartsOfItsMessageAndOfItsFields() {
		MethodCodec bare = Codecs.method(Merging.class, "bare");
		byte[] joined = bytes("0a[\"a\"] 1001 1005");
		assertThat(bare.deserializeArguments(joined, 0, joined.length)).containsExactly(new Strict("a", 5));
		MethodCodec put = Codecs.method(Merging.class, "put");
		byte[] parts = bytes("0a[0a[\"a\"]] 1001 0a[1005] 1002");
		assertThat(put.deserializeArguments(parts, 0, parts.length)).containsExactly(new Strict("a", 5), 2);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			35 bits              | ffffffff7f           | -1
			a bit above 32       | 8580808010           | 5
			63 bits              | ffffffffffffffff7f   | -1
			unsigned             | ffffffff0f           | -1
			more than 64 bits    | 85808080808080808002 | 5
			70 bits              | ffffffffffffffffff7f | -1
			""")
	void number_isCut_asByProtobufJava(String name, String number, int expected) throws Exception {
		byte[] message = bytes("0a[10" + number + "]");
		assertThat(((Whole) Codecs.read(this.codec, message)).count()).isEqualTo(expected);
		assertThat(readByOracle(message).count()).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "00, false", "01, true", "02, true", "808001, true", "ffffffffffffffffff01, true", "8080808010, true",
			"80808000, false" })
	void boolean_isTrue_forAnyNumberOtherThanZero(String number, boolean expected) {
		assertThat(Codecs.read(Codecs.method(Merging.class, "flag"), bytes("08" + number))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "small, 8001", "small, 8580808010", "medium, 808002", "medium, ffffffffffffffff7f", "letter, 808004",
			"letter, ffffffffffffffffff01" })
	void narrowNumber_isRefused_outOfItsRange(String method, String number) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.read(Codecs.method(Merging.class, method), bytes("08" + number)))
			.withMessageContaining("number ");
	}

	@Test
	void exception_isRead_inAnyOrderOfNameAndMessage() {
		MethodCodec strict = Codecs.method(Merging.class, "strict");
		byte[] sent = Codecs.exception(strict, new Failure("no"));
		int name = 2 + sent[1];
		ByteArrayOutputStream turned = new ByteArrayOutputStream();
		turned.write(sent, name, sent.length - name);
		turned.write(sent, 0, name);
		assertThat(strict.deserializeException(turned.toByteArray(), 0, sent.length)).isInstanceOf(Failure.class)
			.hasMessage("no");
	}

	/** The smallest parts of a field, and of fields within it. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			an empty message     | 0a[]
			a number             | 0a[1005]
			nested messages      | 0a[32[] 32[32[]] 32[]]
			one entry            | 0a[3a[0a["a"]1001]]
			entries of messages  | 0a[42[080112[1005]]]
			a member of a oneof  | 0a[4a[0a[0801]]]
			two members in turn  | 0a[4a[0a[0801]]] 0a[4a[12[]]]
			an array             | 0a[22[01]]
			an unpacked array    | 0a[2001]
			a list               | 0a[1a[]]
			an optional          | 0a[72[]]
			a time               | 0a[52[0801]]
			a time that is none  | 0a[5a[080110ffffffffffffffffff01]5a[0800]]
			""")
	void millionParts_areReadInLinearTime_withinTheBudget(String name, String form) {
		byte[] some = repeated(bytes(form), PARTS / 8);
		byte[] all = repeated(bytes(form), PARTS);
		readOrRefuse(some);
		long few = nanos(() -> readOrRefuse(some));
		assertThat(nanos(() -> readOrRefuse(all))).isLessThan(40 * few + 1_000_000_000L);
		Bounds.check(all.length, () -> readOrRefuse(all));
	}

	private static byte[] repeated(byte[] part, int times) {
		byte[] all = new byte[part.length * times];
		IntStream.range(0, times).forEach((each) -> System.arraycopy(part, 0, all, each * part.length, part.length));
		return all;
	}

	private static long nanos(Runnable task) {
		long start = System.nanoTime();
		task.run();
		return System.nanoTime() - start;
	}

	private void readOrRefuse(byte[] message) {
		try {
			this.codec.deserializeResult(message, 0, message.length);
		}
		catch (SerializationException ex) {
			assertThat(ex).hasMessageContaining("objects take more than");
		}
	}

	@Test
	void millionParts_areOneMessage() {
		byte[] parts = repeated(bytes("0a[32[22[07]]]"), PARTS);
		Whole read = (Whole) this.codec.deserializeResult(parts, 0, parts.length);
		assertThat(Objects.requireNonNull(read.next()).numbers()).hasSize(PARTS).containsOnly(7);
	}

	/** A choice. */
	public sealed interface Choice permits Left, Right {

	}

	/** A member. */
	public record Left(int number, @Nullable String text) implements Choice {
	}

	/** A member that holds a message. */
	public record Right(@Nullable String text, @Nullable Whole whole) implements Choice {
	}

	/** Everything that is merged. */
	public record Whole(@Nullable String name, int count, List<String> texts, int[] numbers, List<Long> longs,
			@Nullable Whole next, Map<String, Long> map, Map<Integer, Whole> parts, @Nullable Choice choice,
			@Nullable Instant at, @Nullable Duration lasting, @Nullable LocalDate date, @Nullable UUID id,
			Optional<Whole> perhaps, List<List<String>> lists) {

		static Whole empty() {
			return new Whole(null, 0, List.of(), new int[0], List.of(), null, Map.of(), Map.of(), null, null, null,
					null, null, Optional.empty(), List.of());
		}

	}

	/** A record that refuses a part of itself. */
	public record Strict(String name, int count) {

		private static final AtomicInteger CREATED = new AtomicInteger();

		public Strict {
			Objects.requireNonNull(name);
			if (count == 0) {
				throw new IllegalArgumentException("count: 0 (expected: more)");
			}
			CREATED.incrementAndGet();
		}

	}

	/** A declared exception. */
	public static class Failure extends Exception {

		private static final long serialVersionUID = 1L;

		public Failure(String message) {
			super(message);
		}

	}

	/** The methods. */
	public interface Merging {

		Whole get();

		Strict strict() throws Failure;

		void put(Strict first, int number);

		@RpcMethod(bare = true)
		void bare(Strict request);

		boolean flag();

		byte small();

		short medium();

		char letter();

	}

}
