package io.rpcboot.internal.serialization.protobuf;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooClasses.Batch;
import io.rpcboot.serialization.zoo.ZooForeign;
import io.rpcboot.serialization.zoo.ZooForeign.Option;
import io.rpcboot.serialization.zoo.ZooRow;
import io.rpcboot.serialization.zoo.ZooShape;
import io.rpcboot.serialization.zoo.ZooTypes.Account;
import io.rpcboot.serialization.zoo.ZooTypes.Mixed;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.serialization.zoo.ZooTypes.PointHolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Protobuf carries each type of the zoo, with the differences that are listed here: types
 * without a form in protobuf, values that are refused, and null that arrives as empty.
 */
@Tag("jdk25")
class ProtobufTypeZooTests {

	/** Types whose methods are left out. */
	static final Set<String> LEFT_OUT = Set.of("Object[]", "Object", "Number", "CharSequence", "Comparable<?>",
			"java.io.Serializable", "List<?>", "Map<Object, Object>", "TreeMap<Comparable<?>, Object>",
			"Pair<Point, Object>", "Pair<Colour, ?>", "Pair<Record, Point>", "Pair<? super Point, Shape>",
			"Pair<Enum<?>, TimeUnit>", "Result<? extends Number>");

	private static final String NULL = "null";

	/**
	 * Refused values: type of the row, reason, places of the values in the row.
	 */
	private static final String TABLE = """
			String | unpaired surrogate | 5
			Instant | the range of protobuf | 1 2
			Duration | the range of protobuf | 1 2
			List<Optional<List<Integer>>> | null | 1
			AtomicReference<List<Point>> | null | 1
			AtomicReferenceArray<String> | null | 1
			int[][] | null | 1
			long[][][] | null | 0
			byte[][] | null | 0
			Byte[] | null | 0
			Short[] | null | 0
			Character[] | null | 0
			Boolean[] | null | 0
			Integer[] | null | 1 2
			Long[] | null | 0
			Float[] | null | 0
			Double[] | null | 0
			String[] | null | 1
			String[][] | null | 0
			Point[] | null | 1
			Point[][] | null | 0
			Tree[] | null | 0
			LocalDate[] | null | 0
			List<String>[] | null | 0
			Batch<Point> | null | 0
			Cart | null | 0
			List<String> | null | 2 3 8 9 11
			ArrayList<Integer> | null | 2
			LinkedList<Integer> | null | 0
			Vector<Integer> | null | 0
			Stack<String> | null | 0
			CopyOnWriteArrayList<Integer> | null | 0
			List<List<List<Integer>>> | null | 3
			Set<String> | null | 2
			HashSet<Point> | null | 0
			LinkedHashSet<Integer> | null | 0
			CopyOnWriteArraySet<String> | null | 0
			SequencedSet<String> | null | 0
			Queue<String> | null | 0
			Map<String, Integer> | null | 2 3 4
			LinkedHashMap<String, Integer> | null | 0
			SequencedMap<String, Integer> | null | 0
			io.rpcboot.serialization.zoo.ZooForeign.Money[] | null | 0
			TreeSet<String> | reverse of the natural order | 2 3
			SortedSet<Integer> | reverse of the natural order | 2 4
			NavigableSet<Integer> | reverse of the natural order | 2
			List<TreeSet<Integer>> | reverse of the natural order | 0
			ConcurrentSkipListSet<Integer> | reverse of the natural order | 1
			PriorityQueue<Integer> | reverse of the natural order | 2 3
			PriorityBlockingQueue<Integer> | reverse of the natural order | 1
			TreeMap<String, String> | reverse of the natural order | 2 3
			SortedMap<String, String> | reverse of the natural order | 0 1 2
			NavigableMap<Integer, Integer> | reverse of the natural order | 1
			List<TreeMap<String, String>> | reverse of the natural order | 0
			ConcurrentNavigableMap<Integer, Integer> | reverse of the natural order | 1
			ConcurrentSkipListMap<Integer, Integer> | reverse of the natural order | 1
			""";

	static final Map<String, Map<Integer, String>> REFUSED = refused();

	/** Values that arrive as another one: null within them is empty. */
	private static final Map<String, Map<Integer, Object>> CHANGED = Map.of("Mixed",
			Map.of(1, new Mixed((byte) 0, (short) 0, '\0', false, 0, 0, 0, null, null, null, List.of())), "Account",
			Map.of(1, Account.of(-7, List.of(), null)), "PointHolder", Map.of(1, new EmptyHolder()), "Batch<Point>",
			Map.of(2, batchWithoutItems()),
			"%1$sOption<%1$sOption<List<java.nio.file.Path>>>".formatted("io.rpcboot.serialization.zoo.ZooForeign."),
			Map.of(1, Option.of(Option.of(List.of()))));

	private static Batch<Point> batchWithoutItems() {
		try {
			Batch<Point> batch = new Batch<>();
			Field items = Batch.class.getDeclaredField("items");
			items.setAccessible(true);
			items.set(batch, new Point[0]);
			return batch;
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Map<String, Map<Integer, String>> refused() {
		Map<String, Map<Integer, String>> all = new HashMap<>();
		TABLE.lines().map((line) -> line.split(" \\| ")).forEach((cells) -> {
			Map<Integer, String> places = new HashMap<>();
			Arrays.stream(cells[2].split(" ")).forEach((place) -> places.put(Integer.valueOf(place), cells[1]));
			all.put(cells[0], places);
		});
		return all;
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.rpcboot.serialization.zoo.TypeZoo#rows")
	void value_arrivesAsTheTableSays(ZooRow row) throws Exception {
		ServiceDescriptor service = ServiceDescriptor.of(TypeZoo.service(row));
		ProtobufCodec codec = ProtobufCodec.of(service, ZooForeign.TYPES, NumberLock.NONE);
		if (LEFT_OUT.contains(row.type())) {
			assertThat(codec.findings()).hasSameSizeAs(service.methods());
			return;
		}
		assertThat(codec.findings()).isEmpty();
		for (MethodDescriptor each : service.methods()) {
			ZooShape shape = ZooShape.valueOf(each.name().toUpperCase(Locale.ROOT));
			if (shape.takesAll()) {
				assertAllArrive(row, shape, each.method(), codec.method(each.number()));
			}
			else {
				assertEachArrives(row, shape, each.method(), codec.method(each.number()));
			}
		}
	}

	@Test
	void exceptions_areRowsOfTheZoo() {
		assertThat(TypeZoo.rows().map(ZooRow::type)).containsAll(LEFT_OUT).containsAll(CHANGED.keySet());
		assertThat(REFUSED.keySet().stream().filter((each) -> !each.startsWith("Sequenced")))
			.isSubsetOf(TypeZoo.rows().map(ZooRow::type).toList());
	}

	private static void assertEachArrives(ZooRow row, ZooShape shape, Method method, MethodCodec codec)
			throws Exception {
		for (int i = 0; i < row.values().size(); i++) {
			Object wrapped = shape.wrap(method, Arrays.asList(row.values().get(i)));
			String reason = REFUSED.getOrDefault(row.type(), Map.of()).get(i);
			if (reason != null) {
				assertRefused(codec, wrapped, reason);
			}
			else {
				assertSame(row, i, shape.unwrap(echo(codec, wrapped)).get(0), row.values().get(i));
			}
		}
		Class<?> declared = method.getDeclaringClass().getMethod("alone", alone(method)).getReturnType();
		if (!declared.isPrimitive()) {
			Object read = shape.unwrap(echo(codec, shape.wrap(method, Arrays.asList((Object) null)))).get(0);
			assertThat(isEmpty(read)).as("%s of %s is %s", shape, row, read).isEqualTo(hasNoNull(declared));
			assertThat(read == null).isNotEqualTo(hasNoNull(declared));
		}
	}

	private static void assertAllArrive(ZooRow row, ZooShape shape, Method method, MethodCodec codec) throws Exception {
		List<Integer> sent = IntStream.range(0, row.values().size())
			.filter((each) -> !REFUSED.getOrDefault(row.type(), Map.of()).containsKey(each))
			.boxed()
			.toList();
		List<Object> values = sent.stream().map((each) -> row.values().get(each)).toList();
		List<?> read = shape.unwrap(echo(codec, shape.wrap(method, values)));
		assertThat(read).hasSameSizeAs(values);
		for (int i = 0; i < values.size(); i++) {
			assertSame(row, sent.get(i), read.get(i), values.get(i));
		}
		Class<?> declared = method.getDeclaringClass().getMethod("alone", alone(method)).getReturnType();
		Object withNull = shape.wrap(method, Arrays.asList((Object) null));
		if (declared.isEnum() || (shape == ZooShape.MAP && hasNoNull(declared))) {
			Object only = shape.unwrap(echo(codec, withNull)).get(0);
			assertThat(only == null || isEmpty(only)).isTrue();
		}
		else {
			assertRefused(codec, withNull, NULL);
		}
	}

	private static Class<?> alone(Method method) {
		return Arrays.stream(method.getDeclaringClass().getMethods())
			.filter((each) -> each.getName().equals("alone"))
			.map(Method::getReturnType)
			.findFirst()
			.orElseThrow();
	}

	/** Returns true for a type whose null arrives as an empty value. */
	static boolean hasNoNull(Class<?> type) {
		return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
				|| type.isArray() && type != byte[].class || type.getName().startsWith("java.util.Optional")
				|| Set
					.of(AtomicReference.class, AtomicIntegerArray.class, AtomicLongArray.class,
							AtomicReferenceArray.class)
					.contains(type);
	}

	static boolean isEmpty(Object value) {
		return value instanceof Collection<?> collection && collection.isEmpty()
				|| value instanceof Map<?, ?> map && map.isEmpty()
				|| value != null && value.getClass().isArray() && Array.getLength(value) == 0
				|| value instanceof AtomicReference<?> reference && reference.get() == null
				|| value instanceof AtomicIntegerArray ints && ints.length() == 0
				|| value instanceof AtomicLongArray longs && longs.length() == 0
				|| value instanceof AtomicReferenceArray<?> references && references.length() == 0
				|| value instanceof Optional<?> optional && optional.isEmpty() || value != null
						&& Set.of(OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty()).contains(value);
	}

	static void assertSame(ZooRow row, int index, Object actual, Object sent) {
		Object expected = CHANGED.getOrDefault(row.type(), Map.of()).getOrDefault(index, sent);
		assertThat(row.state().apply(actual)).isEqualTo(row.state().apply(expected));
	}

	private static void assertRefused(MethodCodec codec, Object value, String reason) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, value))
			.withMessageContaining(reason);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.arguments(codec, value))
			.withMessageContaining(reason);
	}

	/** Sends as an argument, then what arrived as a result. */
	private static Object echo(MethodCodec codec, Object value) {
		byte[] bytes = Codecs.arguments(codec, value);
		Object[] arguments = codec.deserializeArguments(bytes, 0, bytes.length);
		assertThat(arguments).hasSize(1);
		byte[] result = Codecs.result(codec, value);
		assertThat(result).isEqualTo(bytes);
		return Codecs.read(codec, result);
	}

	/** A holder whose map is empty. */
	private static final class EmptyHolder extends PointHolder {

		private EmptyHolder() {
			this.more = Map.of();
		}

	}

}
