package io.rpcboot.serialization;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that {@code Iterable} is carried as {@code Collection}, and iterated once.
 */
public class IterableTests {

	private static final int LIMIT = 1 << 16;

	static List<ServiceCodec> codecs() {
		return codecs(Sequences.class);
	}

	private static List<ServiceCodec> codecs(Class<?> type) {
		ServiceDescriptor service = ServiceDescriptor.of(type);
		return List.of(new ProtostuffSerializer().codec(service), new JacksonSerializer().codec(service),
				ProtobufCodec.of(service, TypeOptions.NONE, NumberLock.NONE));
	}

	private static int number(Class<?> service, String name) {
		return ServiceDescriptor.of(service)
			.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.mapToInt(MethodDescriptor::number)
			.findFirst()
			.orElseThrow();
	}

	private static MethodCodec method(ServiceCodec codec, String name) {
		return codec.method(number(Sequences.class, name));
	}

	private static byte[] result(MethodCodec codec, @Nullable Object value) {
		OutputBuffer out = new OutputBuffer(new byte[16], LIMIT);
		codec.serializeResult(value, out);
		return out.toByteArray();
	}

	private static Object read(MethodCodec codec, byte[] bytes) {
		return codec.deserializeResult(bytes, 0, bytes.length);
	}

	/** The hash of a contract is that of its text. */
	@Test
	void contract_isThatOfCollections() {
		List<ServiceCodec> sequences = codecs();
		List<ServiceCodec> collections = codecs(Collections.class);
		for (int i = 0; i < sequences.size(); i++) {
			assertThat(sequences.get(i).contract().hash()).isEqualTo(collections.get(i).contract().hash());
			assertThat(sequences.get(i).contract()).hasToString(collections.get(i).contract().toString());
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void value_hasTheBytesOfACollection_inEveryPlace(int format) {
		ServiceCodec codec = codecs().get(format);
		ServiceCodec other = codecs(Collections.class).get(format);
		for (String name : List.of("result", "numbers", "lists", "byName", "perhaps", "none")) {
			List<Object> values = switch (name) {
				case "result" -> List.of(once("a", "b"), List.of("a", "b"));
				case "numbers" -> List.of(once(1, 2, 300), List.of(1, 2, 300));
				case "lists" -> List.of(once(once("a"), once()), List.of(List.of("a"), List.of()));
				case "byName" -> List.of(Map.of("k", once("a", "b")), Map.of("k", List.of("a", "b")));
				case "perhaps" -> List.of(Optional.of(once("a")), Optional.of(List.of("a")));
				default -> List.of(once(), List.of());
			};
			String method = name.equals("none") ? "result" : name;
			byte[] bytes = result(method(codec, method), values.get(0));
			assertThat(bytes).as(name)
				.isEqualTo(result(other.method(number(Collections.class, method)), values.get(1)))
				.isEqualTo(result(method(codec, method), values.get(1)));
			assertThat(read(method(codec, method), bytes)).isEqualTo(values.get(1));
		}
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void parametersAndFields_areCarried(ServiceCodec codec) {
		MethodCodec put = method(codec, "put");
		OutputBuffer out = new OutputBuffer(new byte[16], LIMIT);
		put.serializeArguments(new Object[] { once("a"), new Holder(once(1, 2), List.of(once("b"))) }, out);
		@Nullable Object[] read = put.deserializeArguments(out.array(), 0, out.length());
		assertThat(read[0]).isInstanceOf(List.class).isEqualTo(List.of("a"));
		assertThat(read[1]).isEqualTo(new Holder(List.of(1, 2), List.of(List.of("b"))));
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void nullAndNullElements_areThoseOfACollection(ServiceCodec codec) {
		MethodCodec result = method(codec, "result");
		if (codec instanceof ProtobufCodec) {
			assertThat(read(result, result(result, null))).isEqualTo(List.of());
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> result(result, nulls()))
				.withMessageContaining("result[1]: null (expected: a value");
			return;
		}
		assertThat(result.deserializeResult(result(result, null), 0, result(result, null).length)).isNull();
		assertThat(read(result, result(result, nulls()))).isEqualTo(Arrays.asList("a", null));
	}

	/**
	 * A message of protobuf that does not fit at first is written again, here for each
	 * size around the limit.
	 */
	@ParameterizedTest
	@MethodSource("codecs")
	void value_isIteratedOnce_alsoIfItIsWrittenAgain(ServiceCodec codec) {
		MethodCodec lists = method(codec, "lists");
		for (int size : List.of(200, 1, 130, 20_000, 2)) {
			int length = result(lists, List.of(List.of("x".repeat(size)))).length;
			OutputBuffer exact = new OutputBuffer(new byte[0], length);
			lists.serializeResult(once(once("x".repeat(size))), exact);
			assertThat(exact.length()).isEqualTo(length);
		}
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void endlessIteration_endsAtTheLimit(ServiceCodec codec) {
		AtomicInteger count = new AtomicInteger();
		Iterable<Integer> endless = () -> IntStream.generate(count::incrementAndGet).iterator();
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> result(method(codec, "numbers"), endless));
		assertThat(count.get()).isLessThan(LIMIT);
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void failureOfTheIteration_isThatOfTheValue(ServiceCodec codec) {
		Iterable<String> closed = () -> Stream.of("a").map((each) -> {
			throw new IllegalStateException("the cursor is closed");
		}).map(String.class::cast).iterator();
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> result(method(codec, "result"), closed))
			.withMessageContaining("the cursor is closed");
	}

	@ParameterizedTest
	@MethodSource("codecs")
	void eventLoop_iteratesNothing(ServiceCodec codec) throws Exception {
		EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
		try {
			AtomicInteger count = new AtomicInteger();
			Iterable<String> counted = () -> {
				count.incrementAndGet();
				return List.of("a").iterator();
			};
			Throwable failure = loops.submit(() -> {
				try {
					assertThat(result(method(codec, "result"), List.of("a"))).isNotEmpty();
					result(method(codec, "result"), counted);
					return null;
				}
				catch (SerializationException ex) {
					return ex;
				}
			}).get();
			assertThat(failure).hasMessageContaining("on an event loop, which its iteration could block");
			assertThat(count).hasValue(0);
		}
		finally {
			loops.shutdownGracefully();
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { OfSubtype.class, OfPath.class, Raw.class })
	void subtype_isRefused(Class<?> service) {
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> new ProtostuffSerializer().codec(ServiceDescriptor.of(service)));
	}

	/** A sequence that can be iterated once. */
	@SafeVarargs
	@SuppressWarnings("varargs")
	private static <T> Iterable<T> once(T... elements) {
		Iterator<T> iterator = Stream.of(elements).iterator();
		AtomicInteger count = new AtomicInteger();
		return () -> {
			assertThat(count.incrementAndGet()).isEqualTo(1);
			return iterator;
		};
	}

	private static Iterable<String> nulls() {
		List<String> elements = Arrays.asList("a", null);
		return elements::iterator;
	}

	/** A class with sequences. */
	public record Holder(Iterable<Integer> numbers, List<Iterable<String>> lists) {
	}

	/** A subtype. */
	public interface Names extends Iterable<String> {

	}

	/** The methods. */
	public interface Sequences {

		Iterable<String> result();

		Iterable<Integer> numbers();

		Iterable<Iterable<String>> lists();

		Map<String, Iterable<String>> byName();

		Optional<Iterable<String>> perhaps();

		void put(Iterable<? extends String> names, Holder holder);

	}

	/** The same with collections. */
	public interface Collections {

		Collection<String> result();

		Collection<Integer> numbers();

		Collection<Collection<String>> lists();

		Map<String, Collection<String>> byName();

		Optional<Collection<String>> perhaps();

		void put(Collection<? extends String> names, Holder holder);

	}

	/** A subtype as a result. */
	public interface OfSubtype {

		Names names();

	}

	/** A subtype of the JDK. */
	public interface OfPath {

		Path path();

	}

	/** Without its argument. */
	@SuppressWarnings("rawtypes")
	public interface Raw {

		Iterable all();

	}

}
