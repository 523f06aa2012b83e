package io.rpcboot.serialization;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * No value arrives changed without a word: with every serializer alike it is carried, or
 * refused with its path.
 */
public class SilentChangesTests {

	static Stream<Serializer> serializers() {
		return Stream.of(new ProtostuffSerializer(), new JacksonSerializer());
	}

	static MethodCodec method(Serializer serializer, Class<?> type, String name) {
		ServiceDescriptor service = ServiceDescriptor.of(type);
		MethodDescriptor method = service.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.findFirst()
			.orElseThrow();
		return serializer.codec(service).method(method.number());
	}

	static Object echo(MethodCodec codec, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 24);
		codec.serializeResult(value, out);
		return codec.deserializeResult(out.array(), 0, out.length());
	}

	private static Object echo(Serializer serializer, String name, Object value) {
		return echo(method(serializer, Service.class, name), value);
	}

	private static void assertUnwritable(Serializer serializer, String name, Object value, String... message) {
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 24);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> method(serializer, Service.class, name).serializeResult(value, out))
			.withMessageContaining(name + "(): result")
			.withMessageContainingAll(message);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void littleEndianBuffer_isRefused(Serializer serializer) {
		ByteBuffer little = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(1).flip();
		assertUnwritable(serializer, "buffer", little, "order LITTLE_ENDIAN (expected: BIG_ENDIAN, ");
		assertUnwritable(serializer, "any", little, "order LITTLE_ENDIAN");
		assertThat(
				((ByteBuffer) echo(serializer, "buffer", little.duplicate())).order(ByteOrder.LITTLE_ENDIAN).getInt())
			.isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void scopedAddress_isRefused(Serializer serializer) throws UnknownHostException {
		byte[] bytes = new byte[16];
		bytes[0] = (byte) 0xfe;
		bytes[1] = (byte) 0x80;
		Inet6Address scoped = Inet6Address.getByAddress("name", bytes, 2);
		assertUnwritable(serializer, "address", scoped, "address fe80:0:0:0:0:0:0:0%2 (expected: no scope");
		assertUnwritable(serializer, "any", Inet6Address.getByAddress(null, bytes, 0), "%0 (expected: no scope");
		InetAddress plain = InetAddress.getByAddress("name", scoped.getAddress());
		assertThat(echo(serializer, "address", plain)).hasToString("name/fe80:0:0:0:0:0:0:0");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void unsupportedArray_isRefused_whenObjectIsDeclared(Serializer serializer) {
		for (Object each : List.of(new int[][] { { 1 } }, new LocalDate[1], new String[][] { {} }, new List<?>[1],
				new Object[][] { {} })) {
			assertUnwritable(serializer, "any", each, "where java.lang.Object is declared");
		}
		assertUnwritable(serializer, "any", Map.of(List.of(1), 1), "as a key");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void arrayOfOtherComponentType_isRefused(Serializer serializer) {
		assertUnwritable(serializer, "objects", new Integer[] { 1 },
				"java.lang.Integer[] where java.lang.Object[] is declared (expected: exactly that class)");
		assertUnwritable(serializer, "numbers", new Integer[] { 1 },
				"java.lang.Integer[] where java.lang.Number[] is declared");
		assertUnwritable(serializer, "tables", new Number[][] { new Integer[] { 1 } },
				"java.lang.Integer[] where java.lang.Number[] is declared");
		assertUnwritable(serializer, "objects", new int[][] { { 1 } }, "int[][] where java.lang.Object[] is declared");
		assertThat((Object[]) echo(serializer, "objects", new Object[] { 1, "a" })).containsExactly(1, "a");
		assertThat(((Box<?>) echo(serializer, "box", Box.of("a"))).items).isExactlyInstanceOf(String[].class);
	}

	/** The default serializer carries these, see {@link AnyCaseTests}. */
	@Test
	void keysInAnyCase_areRefusedByJson() {
		Serializer serializer = new JacksonSerializer();
		Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		sorted.put("Content-Type", "b");
		String found = ", which finds 'content-type' without having it";
		assertUnwritable(serializer, "map", sorted, "java.util.TreeMap" + found);
		assertUnwritable(serializer, "maps", List.of(sorted), "java.util.TreeMap" + found);
		assertUnwritable(serializer, "set", sorted.keySet(), "java.util.TreeMap$KeySet" + found);
		assertUnwritable(serializer, "any", List.of(sorted.keySet()), "java.util.TreeMap$KeySet" + found);
		ConcurrentMap<String, String> skipping = new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER);
		skipping.putAll(sorted);
		assertUnwritable(serializer, "concurrent", skipping, "java.util.concurrent.ConcurrentSkipListMap" + found);
		assertUnwritable(serializer, "map", Collections.unmodifiableMap(sorted),
				"java.util.Collections$UnmodifiableMap, which finds 'content-type' without having it");
		assertUnwritable(serializer, "map", new CaseInsensitive(sorted), "CaseInsensitive, which finds 'content-type'");
		assertUnwritable(serializer, "set", new CaseInsensitive(sorted).keySet(), "which finds 'content-type'");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void keysByIdentity_areRefused(Serializer serializer) {
		assertUnwritable(serializer, "set", new IdentityHashMap<>(Map.of("Content-Type", "b")).keySet(),
				"KeySet, which finds keys by");
		Set<String> identical = Collections.newSetFromMap(new IdentityHashMap<>());
		identical.add("1");
		assertUnwritable(serializer, "set", identical, "Collections$SetFromMap, which finds keys by identity");
		assertUnwritable(serializer, "map", Collections.unmodifiableMap(new IdentityHashMap<>(Map.of("1", "b"))),
				"java.util.Collections$UnmodifiableMap, which finds keys by identity");
		assertUnwritable(serializer, "map", new IdentityHashMap<>(Map.of("a", "b")),
				"java.util.IdentityHashMap, which finds keys by identity (expected: one that finds its keys by equals");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void sortedDecimals_areRefused_whenSetOrMapIsDeclared(Serializer serializer) {
		String found = ", which finds 1.00 without having it (expected: one that finds its keys by equals";
		SortedSet<BigDecimal> sorted = new TreeSet<>(Set.of(new BigDecimal("1.0"), new BigDecimal("2")));
		SortedMap<BigDecimal, String> map = new TreeMap<>(Map.of(sorted.first(), "a"));
		for (Set<?> each : List.of(sorted, new ConcurrentSkipListSet<>(sorted), map.keySet(),
				Collections.unmodifiableSet(sorted), Collections.unmodifiableSortedSet(sorted))) {
			assertUnwritable(serializer, "scales", each, each.getClass().getName() + found);
		}
		assertUnwritable(serializer, "prices", map, "java.util.TreeMap" + found);
		assertUnwritable(serializer, "prices", Collections.unmodifiableMap(map), "UnmodifiableMap" + found);
		Set<BigDecimal> hashed = Set.of(new BigDecimal("1.0"), new BigDecimal("1.00"));
		assertThat(echo(serializer, "scales", hashed)).isEqualTo(hashed);
		assertThat(echo(serializer, "scales", Collections.unmodifiableSet(hashed))).isEqualTo(hashed);
		assertThat((Set<?>) echo(serializer, "sorted", sorted)).isEqualTo(sorted)
			.matches((set) -> set.contains(new BigDecimal("1.00")));
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void equalsBasedContainers_roundTrip(Serializer serializer) {
		Map<String, String> map = Map.of("a", "b", "A", "c", "1", "d");
		for (Map<String, String> each : List.of(map, new TreeMap<>(map), new TreeMap<>(map).descendingMap(),
				Collections.unmodifiableMap(map), Collections.synchronizedMap(new HashMap<>(map)),
				new AbstractMap<String, String>() {
					@Override
					public Set<Entry<String, String>> entrySet() {
						return map.entrySet();
					}
				})) {
			assertThat(echo(serializer, "map", each)).isEqualTo(map);
			assertThat(echo(serializer, "set", each.keySet())).isEqualTo(map.keySet());
		}
		assertThat(echo(serializer, "set", new TreeSet<>(Set.of("b", "a")))).hasToString("[a, b]");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void priorityQueue_roundTrips_whenCollectionIsDeclared(Serializer serializer) {
		List<Integer> numbers = List.of(5, 1, 4, 2, 3);
		for (Collection<Integer> each : List.of(new PriorityQueue<>(numbers), new PriorityBlockingQueue<>(numbers))) {
			assertThat(echo(serializer, "collection", each)).isEqualTo(new ArrayList<>(each));
			assertThat(echo(serializer, "queue", each)).hasToString("[1, 2, 3, 4, 5]");
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void invalidUtf8_isRefused(Serializer serializer) {
		for (byte[] text : List.of(new byte[] { (byte) 0xc0, (byte) 0x80 },
				new byte[] { (byte) 0xe0, (byte) 0x80, (byte) 0xaf }, new byte[] { (byte) 0xff },
				new byte[] { (byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80 })) {
			byte[] bytes = new byte[text.length + 2];
			System.arraycopy(text, 0, bytes, serializer.name().equals("json") ? 1 : 2, text.length);
			bytes[0] = (byte) (serializer.name().equals("json") ? '"' : 1 << 3 | 2);
			if (serializer.name().equals("json")) {
				bytes[text.length + 1] = '"';
			}
			else {
				bytes[1] = (byte) text.length;
			}
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> method(serializer, Service.class, "text").deserializeResult(bytes, 0, bytes.length))
				.withMessageContaining("text is not UTF-8");
		}
		String longer = "é中\ud83d\ude00".repeat(1000);
		assertThat(echo(serializer, "text", longer)).isEqualTo(longer);
	}

	/** As deep as one serializer carries a value, the other does. */
	@ParameterizedTest
	@MethodSource("serializers")
	void maximumDepth_isSame_withEachSerializer(Serializer serializer) {
		assertDepth(serializer, "any", "deep", Collections::singletonList, 63);
		assertDepth(serializer, "any", BigDecimal.ONE, Collections::singletonList, 62);
		assertDepth(serializer, "any", "deep", (value) -> Collections.singletonMap("a", value), 21);
		assertDepth(serializer, "any", "deep", (value) -> Collections.singletonMap(1, value), 21);
		assertDepth(serializer, "any", "deep", (value) -> Optional.of(value), 31);
		assertDepth(serializer, "any", "deep", (value) -> new Object[] { value }, 31);
		assertDepth(serializer, "any", "deep", (value) -> reversed(value), 63);
		assertDepth(serializer, "any", new int[0], Collections::singletonList, 62);
		assertDepth(serializer, "tree", null, (value) -> Tree.of((Tree) value), 64);
		assertDepth(serializer, "nested", null, (value) -> new Nested[] { new Nested((Nested[]) value) }, 32);
	}

	private static Object reversed(Object value) {
		return new PriorityQueue<Object>(1, Collections.reverseOrder()) {
			private static final long serialVersionUID = 1L;

			{
				add(value);
			}
		};
	}

	private static void assertDepth(Serializer serializer, String method, Object leaf, UnaryOperator<Object> wrap,
			int levels) {
		Object value = leaf;
		for (int i = 0; i < levels; i++) {
			value = wrap.apply(value);
		}
		assertThat(echo(serializer, method, value)).isNotNull();
		assertUnwritable(serializer, method, wrap.apply(value), "nested deeper than 64 levels");
	}

	/** A list of a raw type may hold what its declaration does not say. */
	@ParameterizedTest
	@MethodSource("serializers")
	void constantOfOtherEnum_isRefused(Serializer serializer) {
		assertUnwritable(serializer, "modes", List.of(RoundingMode.UP, TimeUnit.DAYS), "[1]: ",
				"java.util.concurrent.TimeUnit");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void cycle_isNamedInFailure(Serializer serializer) {
		Tree tree = Tree.of(null);
		tree.children = List.of(tree);
		assertUnwritable(serializer, "tree", tree, "a cycle: the " + Tree.class.getName() + " leads back to itself");
		List<Object> list = new ArrayList<>();
		list.add(list);
		assertUnwritable(serializer, "any", list, "a cycle: the java.util.ArrayList leads back to itself");
	}

	/** What can change on its way. */
	public interface Service {

		ByteBuffer buffer();

		InetAddress address();

		Object any();

		Object[] objects();

		Number[] numbers();

		Number[][] tables();

		Map<String, String> map();

		List<Map<String, String>> maps();

		ConcurrentMap<String, String> concurrent();

		Set<String> set();

		Set<BigDecimal> scales();

		SortedSet<BigDecimal> sorted();

		Map<BigDecimal, String> prices();

		Collection<Integer> collection();

		Queue<Integer> queue();

		List<RoundingMode> modes();

		String text();

		Tree tree();

		Nested[] nested();

		Box<String> box();

	}

	/** A class in a collection of its own kind. */
	public static class Tree {

		List<Tree> children;

		static Tree of(Tree child) {
			Tree tree = new Tree();
			tree.children = (child != null) ? List.of(child) : null;
			return tree;
		}

	}

	/** A generic class that makes an array. */
	public static class Box<T> {

		T[] items;

		@SuppressWarnings("unchecked")
		static <T> Box<T> of(T item) {
			Box<T> box = new Box<>();
			box.items = (T[]) new Object[] { item };
			return box;
		}

	}

	/** A record in an array of its own kind. */
	public record Nested(Nested[] within) {
	}

	/** A map of which nothing says that it is sorted. */
	private static final class CaseInsensitive extends AbstractMap<String, String> {

		private final Map<String, String> map;

		CaseInsensitive(Map<String, String> map) {
			this.map = map;
		}

		@Override
		public boolean containsKey(Object key) {
			return this.map.containsKey(key);
		}

		@Override
		public Set<Entry<String, String>> entrySet() {
			return this.map.entrySet();
		}

	}

}
