package io.rpcboot.serialization;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Messages of more than one window: the same bytes as in one array, and little heap.
 */
public class LargeMessageTests {

	private static final int MEGABYTE = 1 << 20;

	private static final int WINDOW = OutputBuffer.WINDOW;

	private static final String PAIR = "\ud83d\ude00";

	private final Map<String, Object> values = values();

	static List<Serializer> serializers() {
		return List.of(new ProtostuffSerializer(), new JacksonSerializer());
	}

	private static MethodCodec codec(Serializer serializer, String name) {
		ServiceDescriptor service = ServiceDescriptor.of(Large.class);
		for (MethodDescriptor each : service.methods()) {
			if (each.name().equals(name)) {
				return serializer.codec(service).method(each.number());
			}
		}
		throw new IllegalArgumentException(name);
	}

	private static Map<String, Object> values() {
		Random random = new Random(1);
		Map<String, Object> values = new TreeMap<>();
		byte[] bytes = new byte[150_010];
		random.nextBytes(bytes);
		values.put("bytes", bytes);
		values.put("bits", BitSet.valueOf(bytes));
		values.put("ints", random.ints(15_000).toArray());
		values.put("longs", random.longs(10_000).map((each) -> each >> random.nextInt(64)).toArray());
		values.put("doubles", random.doubles(8000).toArray());
		values.put("flags", new boolean[40_000]);
		values.put("numbers", random.ints(10_000).boxed().collect(Collectors.toList()));
		values.put("texts",
				IntStream.range(0, 4000).mapToObj((i) -> "é".repeat(i % 40) + i).collect(Collectors.toList()));
		values.put("map", IntStream.range(0, 5000)
			.boxed()
			.collect(Collectors.toMap((i) -> "key" + i, (i) -> Long.valueOf(i) << i, (a, b) -> a, TreeMap::new)));
		values.put("beans",
				IntStream.range(0, 5000)
					.mapToObj((i) -> new Row(i, "row" + PAIR + i, new byte[i % 100], null))
					.collect(Collectors.toList()));
		values.put("row", new Row(1, "中".repeat(30_000), bytes, new Row(2, "a".repeat(70_000), bytes, null)));
		return values;
	}

	/** Of every width, with pairs and halves of them at every place. */
	static Stream<String> texts() {
		String mixed = "aé中" + PAIR + "\ude00z\ud83d";
		Stream<String> wide = Stream.of("a", "é", "中", PAIR, "\ud83d", "\ude00", mixed)
			.flatMap((each) -> IntStream.of(16_384, 21_845, 65_530, 200_001)
				.mapToObj((length) -> each.repeat(length / each.length() + 1)));
		Stream<String> shifted = IntStream.range(0, 6)
			.mapToObj((i) -> "a".repeat(i) + (PAIR + "中").repeat(30_000) + "\ud83d");
		Stream<String> border = IntStream.range(16_380, 16_390).mapToObj((i) -> "a".repeat(i) + "中");
		Stream<String> small = IntStream.of(1, 42, 43, 127, 128, 5461, 5462, 16_383)
			.boxed()
			.flatMap((i) -> Stream.of("a".repeat(i) + "é", "中".repeat(i), PAIR.repeat(i)));
		return Stream.of(wide, shifted, border, small).flatMap((each) -> each);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void largeMessage_hasSameBytes_acrossWindows(Serializer serializer) {
		this.values.forEach((name, value) -> {
			MethodCodec codec = codec(serializer, name);
			byte[] bytes = FullWindows.check((buffer) -> codec.serializeResult(value, buffer));
			assertThat(bytes.length).as(name).isGreaterThan(WINDOW / 2);
			if (!value.equals(this.values.get("row")) && !name.equals("beans")) {
				assertThat(codec.deserializeResult(bytes, 0, bytes.length)).as(name).isEqualTo(value);
			}
		});
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void largeText_roundTrips_withEachCharacterWidth(Serializer serializer) {
		MethodCodec codec = codec(serializer, "text");
		boolean carriesHalves = serializer instanceof ProtostuffSerializer;
		texts().filter((each) -> carriesHalves || StandardCharsets.UTF_8.newEncoder().canEncode(each))
			.forEach((text) -> {
				byte[] bytes = FullWindows.check((buffer) -> codec.serializeResult(text, buffer));
				assertThat(codec.deserializeResult(bytes, 0, bytes.length).equals(text)).isTrue();
			});
	}

	@Test
	void surrogatePairs_areNotSplit() {
		MethodCodec codec = codec(new ProtostuffSerializer(), "text");
		texts().filter(StandardCharsets.UTF_8.newEncoder()::canEncode).forEach((text) -> {
			byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
			OutputBuffer buffer = new OutputBuffer(new byte[16], Integer.MAX_VALUE);
			codec.serializeResult(text, buffer);
			byte[] bytes = buffer.toByteArray();
			assertThat(Arrays.equals(bytes, bytes.length - utf8.length, bytes.length, utf8, 0, utf8.length)).isTrue();
		});
	}

	@Test
	void largeBuffer_roundTrips_withEachBufferKind() {
		MethodCodec codec = codec(new ProtostuffSerializer(), "buffer");
		ByteBuffer heap = ByteBuffer.wrap((byte[]) this.values.get("bytes"));
		ByteBuffer direct = ByteBuffer.allocateDirect(heap.capacity()).put(heap.duplicate());
		for (ByteBuffer each : List.of(heap, heap.asReadOnlyBuffer(), direct)) {
			for (int length : new int[] { 0, 10, 16_384, 16_385, 150_000 }) {
				each.limit(7 + length).position(7);
				byte[] bytes = FullWindows.check((buffer) -> codec.serializeResult(each, buffer));
				assertThat(codec.deserializeResult(bytes, 0, bytes.length)).isEqualTo(each);
				assertThat(each.position()).isEqualTo(7);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void overflowFailure_endsSerializationAsCause(Serializer serializer) {
		this.values.forEach((name, value) -> {
			AtomicInteger writes = new AtomicInteger();
			IllegalStateException refusal = new IllegalStateException("no more room");
			MethodCodec codec = codec(serializer, name);
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> {
				OutputBuffer buffer = new OutputBuffer(new byte[WINDOW], Integer.MAX_VALUE);
				buffer.overflow((source, offset, length) -> {
					writes.incrementAndGet();
					throw refusal;
				});
				buffer.position(WINDOW);
				codec.serializeResult(value, buffer);
			}).withCause(refusal);
			assertThat(writes).as(name).hasValue(1);
			MessageTooLargeException tooLarge = new MessageTooLargeException(5);
			OutputBuffer buffer = new OutputBuffer(new byte[WINDOW], Integer.MAX_VALUE);
			buffer.overflow((source, offset, length) -> {
				throw tooLarge;
			});
			buffer.position(WINDOW);
			assertThatExceptionOfType(MessageTooLargeException.class)
				.isThrownBy(() -> codec.serializeResult(value, buffer))
				.isSameAs(tooLarge);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bytes", "text", "wide", "buffer", "ints", "numbers" })
	void largeMessage_allocatesOneWindow(String name) {
		Object value = switch (name) {
			case "bytes" -> new byte[4 * MEGABYTE];
			case "text" -> "a".repeat(4 * MEGABYTE);
			case "wide" -> ("中" + PAIR).repeat(MEGABYTE);
			case "buffer" -> ByteBuffer.allocateDirect(4 * MEGABYTE);
			case "ints" -> new int[2 * MEGABYTE];
			default -> Collections.nCopies(2 * MEGABYTE, 5);
		};
		MethodCodec codec = codec(new ProtostuffSerializer(), name.equals("wide") ? "text" : name);
		AtomicInteger taken = new AtomicInteger();
		OutputBuffer.Overflow overflow = (source, offset, length) -> taken.addAndGet(length);
		serialize(codec, value, overflow, new OutputBuffer.Pool(16 * MEGABYTE));
		taken.set(0);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		serialize(codec, value, overflow, new OutputBuffer.Pool(16 * MEGABYTE));
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(WINDOW + 128 * 1024);
		assertThat(taken.get()).isGreaterThanOrEqualTo(4 * MEGABYTE - WINDOW);
	}

	private static void serialize(MethodCodec codec, Object value, OutputBuffer.Overflow overflow,
			OutputBuffer.Pool pool) {
		OutputBuffer buffer = pool.acquire();
		buffer.overflow(overflow);
		codec.serializeResult(value, buffer);
		assertThat(buffer.length()).isGreaterThanOrEqualTo(4 * MEGABYTE);
		pool.release(buffer);
	}

	public interface Large {

		byte[] bytes();

		BitSet bits();

		int[] ints();

		long[] longs();

		double[] doubles();

		boolean[] flags();

		List<Integer> numbers();

		List<String> texts();

		TreeMap<String, Long> map();

		List<Row> beans();

		Row row();

		String text();

		ByteBuffer buffer();

	}

	public record Row(int number, String text, byte[] bytes, Row next) {

	}

}
