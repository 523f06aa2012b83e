package io.rpcboot.serialization;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.fuzz.Bounds;
import io.rpcboot.serialization.contract.Contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Contract for readers with another layout: the worst bytes take at most 16 times their
 * length and a constant, and about a second of comparing keys.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AbstractReadBudgetContract {

	private static final int LIMIT = 1 << 24;

	private static final Duration SOON = Duration.ofSeconds(20);

	private final ServiceDescriptor service = ServiceDescriptor.of(Lists.class);

	private final ServiceCodec codec;

	protected AbstractReadBudgetContract(Serializer serializer) {
		this.codec = serializer.codec(this.service);
	}

	/** Small values of which there are as many as fit. */
	public interface Lists {

		List<Object> anything();

		List<byte[]> bytes();

		List<Integer> integers();

		List<Long> longs();

		List<List<Integer>> lists();

		List<LinkedList<Integer>> linkedLists();

		List<Set<Integer>> sets();

		List<Set<Small>> recordSets();

		List<TreeSet<Integer>> treeSets();

		List<Map<Integer, Integer>> maps();

		List<Map<String, Integer>> textMaps();

		List<Map<Small, Integer>> recordMaps();

		List<TreeMap<Integer, Integer>> treeMaps();

		List<Optional<Integer>> optionals();

		List<OptionalInt> optionalInts();

		List<AtomicReference<String>> references();

		List<AtomicReferenceArray<String>> referenceArrays();

		List<BigInteger> bigIntegers();

		List<BigDecimal> bigDecimals();

		List<Wide> beans();

		List<WideRecord> records();

		List<int[]> intArrays();

		List<long[][]> longTables();

		List<String[]> textArrays();

		List<Locale> locales();

		List<TimeZone> timeZones();

		List<UUID> uuids();

		List<BitSet> bits();

		List<AtomicInteger> counters();

		List<IdentityHashMap<String, String>> identities();

		List<LinkedBlockingQueue<String>> queues();

		List<ArrayDeque<Integer>> deques();

		List<ConcurrentHashMap<String, String>> concurrent();

		List<ConcurrentSkipListMap<String, String>> skipLists();

		List<String> texts();

		Set<Small> recordSet();

		Map<Small, Integer> recordMap();

		Map<Integer, Integer> map();

		Map<String, Integer> textMap();

		int[] ints();

	}

	/** A bean of many fields, of which a peer may have none. */
	public static class Wide {

		long a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t;

		String u, v, w, x, y, z;

	}

	/** A record of many components. */
	public record WideRecord(long a, long b, long c, long d, long e, long f, String g, String h, String i, String j) {
	}

	/** A key. */
	public record Small(int a, int b) {
	}

	static Stream<Object[]> cases() {
		Map<String, List<?>> all = new LinkedHashMap<>();
		all.put("texts", Arrays.asList("", "a", "é", "中", "123456789", null));
		all.put("anything", Arrays.asList("", 1, 300L, List.of(), Map.of(), new int[0], null));
		all.put("bytes", List.of(new byte[0], new byte[1], new byte[100]));
		all.put("integers", List.of(1, 1000));
		all.put("longs", List.of(1L, 1000L));
		all.put("lists", List.of(List.of(), List.of(1000), Collections.singletonList(null)));
		all.put("linkedLists", List.of(new LinkedList<>(), new LinkedList<>(List.of(1000))));
		all.put("sets", List.of(Set.of(), Set.of(1000)));
		all.put("recordSets", List.of(Set.of(), Set.of(new Small(1, 2))));
		all.put("treeSets", List.of(new TreeSet<>(), new TreeSet<>(Set.of(1000))));
		all.put("maps", List.of(Map.of(), Map.of(1, 2)));
		all.put("textMaps", List.of(Map.of(), Map.of("a", 2)));
		all.put("recordMaps", List.of(Map.of(), Map.of(new Small(1, 2), 3)));
		all.put("treeMaps", List.of(new TreeMap<>(), new TreeMap<>(Map.of(1, 2))));
		all.put("optionals", List.of(Optional.empty(), Optional.of(1000)));
		all.put("optionalInts", List.of(OptionalInt.empty(), OptionalInt.of(1)));
		all.put("references", List.of(new AtomicReference<>(), new AtomicReference<>("")));
		all.put("referenceArrays", List.of(new AtomicReferenceArray<>(0), new AtomicReferenceArray<>(3)));
		all.put("bigIntegers", List.of(BigInteger.ONE, BigInteger.TEN.pow(30)));
		all.put("bigDecimals", List.of(BigDecimal.ONE, BigDecimal.TEN.pow(30)));
		all.put("beans", List.of(new Wide()));
		all.put("records", List.of(new WideRecord(1, 2, 3, 4, 5, 6, null, "", null, null)));
		all.put("intArrays", List.of(new int[0], new int[1]));
		all.put("longTables", List.of(new long[0][], new long[1][0]));
		all.put("textArrays", List.of(new String[0], new String[1]));
		all.put("locales", List.of(Locale.GERMANY));
		all.put("timeZones", List.of(TimeZone.getTimeZone("GMT"), TimeZone.getTimeZone("Cuba")));
		all.put("uuids", List.of(new UUID(0, 0)));
		all.put("bits", List.of(new BitSet(), BitSet.valueOf(new byte[] { 1 })));
		all.put("counters", List.of(new AtomicInteger(1)));
		all.put("identities", List.of(new IdentityHashMap<>()));
		all.put("queues", List.of(new LinkedBlockingQueue<>()));
		all.put("deques", List.of(new ArrayDeque<>()));
		all.put("concurrent", List.of(new ConcurrentHashMap<>()));
		all.put("skipLists", List.of(new ConcurrentSkipListMap<>()));
		return all.entrySet()
			.stream()
			.flatMap((each) -> each.getValue().stream().map((value) -> new Object[] { each.getKey(), value }));
	}

	@ParameterizedTest
	@MethodSource("cases")
	void listMemory_isBounded(String method, Object element) {
		assertBounded(method, (count) -> Collections.nCopies(count, element));
	}

	@Test
	void largeContainerMemory_isBounded() {
		assertBounded("recordSet", (count) -> {
			Set<Small> set = new HashSet<>();
			IntStream.range(0, count).forEach((i) -> set.add(new Small(i >> 7, i & 0x7f)));
			return set;
		});
		assertBounded("recordMap", (count) -> {
			Map<Small, Integer> map = new HashMap<>();
			IntStream.range(0, count).forEach((i) -> map.put(new Small(i >> 7, i & 0x7f), 1));
			return map;
		});
		assertBounded("map", (count) -> {
			Map<Integer, Integer> map = new HashMap<>();
			IntStream.range(0, count).forEach((i) -> map.put(i, 1));
			return map;
		});
		assertBounded("textMap", (count) -> {
			Map<String, Integer> map = new HashMap<>();
			IntStream.range(0, count).forEach((i) -> map.put(Integer.toString(i, 36), 1));
			return map;
		});
		assertBounded("ints", int[]::new);
	}

	private interface OfCount {

		Object apply(int count);

	}

	private void assertBounded(String method, OfCount values) {
		assertBounded(method(method), write(method, values.apply(1000)), method);
		int perThousand = write(method, values.apply(2000)).length - write(method, values.apply(1000)).length;
		for (int length : new int[] { 3 << 19 }) {
			byte[] bytes = write(method, values.apply(Math.max(1, (int) (length * 1000L / Math.max(1, perThousand)))));
			assertBounded(method(method), bytes, method);
		}
	}

	private static boolean assertBounded(MethodCodec codec, byte[] bytes, String description) {
		boolean[] wasRead = new boolean[1];
		long allocated = Bounds.allocatedBy(() -> wasRead[0] = isRead(codec, bytes));
		assertThat(allocated)
			.as("%s of %d bytes, %.1f times, %s", description, bytes.length, (double) allocated / bytes.length,
					wasRead[0] ? "read" : "refused")
			.isLessThanOrEqualTo(Bounds.FACTOR * (long) bytes.length + Bounds.CONSTANT);
		return wasRead[0];
	}

	private static boolean isRead(MethodCodec codec, byte[] bytes) {
		try {
			codec.deserializeResult(bytes, 0, bytes.length);
			return true;
		}
		catch (SerializationException ex) {
			assertThat(ex).hasMessageContaining("its objects take more than 16 times its bytes");
			return false;
		}
	}

	/**
	 * A peer whose bean has no fields writes two or three bytes for each of many fields
	 * here.
	 */
	@Test
	void beanMemory_isBounded_whenPeerLacksFields() {
		for (String method : List.of("beans", "records")) {
			String[] lines = this.codec.contract().text().split("\n");
			StringBuilder text = new StringBuilder();
			boolean isWide = false;
			for (String line : lines) {
				isWide = line.startsWith("  ") ? isWide : line.contains("$Wide");
				text.append((isWide && line.startsWith("  ")) ? "" : line + "\n");
			}
			Contract peer = Contract.parse(text.toString());
			int number = number(method);
			MethodCodec translated = this.codec.translate(peer).method(number, number);
			assertThat(assertBounded(translated, emptyBeans(1000), method)).isTrue();
			assertThat(assertBounded(translated, emptyBeans(1 << 19), method)).isFalse();
		}
	}

	/** A list of so many beans without fields. */
	protected abstract byte[] emptyBeans(int count);

	/**
	 * A set is as large to compare as what it holds, so sets of colliding sets take long;
	 * one is read, many are not.
	 */
	@Test
	void collidingKeys_areBoundedPerMessage() {
		assertThat(List.of(1, 31)).hasSameHashCodeAs(List.of(2, 0));
		byte[] one = write("anything", collidingSets(1));
		assertThat((List<?>) method("anything").deserializeResult(one, 0, one.length)).hasSize(1);
		byte[] many = write("anything", collidingSets(200));
		assertTimeoutPreemptively(SOON,
				() -> assertThatExceptionOfType(SerializationException.class)
					.isThrownBy(() -> method("anything").deserializeResult(many, 0, many.length))
					.withMessageContaining("anything(")
					.withMessageContaining("which take too long to compare"));
	}

	private static List<Object> collidingSets(int count) {
		List<Object> maps = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			maps.add(Collections.singletonMap(i, colliding(i, 2)));
		}
		return maps;
	}

	/** A set that can be told from others of its level only by its leaves. */
	private static Object colliding(int number, int level) {
		if (level == 0) {
			return List.of(number, -31 * number);
		}
		Set<Object> elements = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 24; i++) {
			elements.add(colliding(24 * number + i, level - 1));
		}
		return elements;
	}

	@Test
	void recordsWithEqualHash_areRefused() {
		assertThat(new Small(5, -31 * 5)).hasSameHashCodeAs(new Small(77, -31 * 77));
		Map<Small, Integer> map = new IdentityHashMap<>();
		Set<Small> set = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 20_000; i++) {
			map.put(new Small(i, -31 * i), i);
			set.add(new Small(i, -31 * i));
		}
		Map<String, Object> floods = Map.of("recordMap", Collections.unmodifiableMap(map), "recordSet", set,
				"recordSets", List.of(set));
		floods.forEach((method, value) -> {
			byte[] bytes = write(method, value);
			assertTimeoutPreemptively(SOON,
					() -> assertThatExceptionOfType(SerializationException.class)
						.isThrownBy(() -> method(method).deserializeResult(bytes, 0, bytes.length))
						.withMessageContaining("pairs of equal hash codes"));
		});
	}

	/** What an honest peer sends. */
	@Test
	void ordinaryKeys_areRead() {
		Map<Small, Integer> map = new HashMap<>();
		for (int x = 0; x < 100; x++) {
			for (int y = 0; y < 500; y++) {
				map.put(new Small(x, y), y);
			}
		}
		byte[] bytes = write("recordMap", map);
		assertThat(method("recordMap").deserializeResult(bytes, 0, bytes.length).equals(map)).isTrue();
		List<List<Integer>> lists = new ArrayList<>(Collections.nCopies(20_000, List.of(1, 2, 3)));
		byte[] many = write("lists", lists);
		assertThat(method("lists").deserializeResult(many, 0, many.length).equals(lists)).isTrue();
	}

	private byte[] write(String method, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[64], LIMIT);
		method(method).serializeResult(value, out);
		return out.toByteArray();
	}

	private MethodCodec method(String name) {
		return this.codec.method(number(name));
	}

	private int number(String name) {
		return this.service.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.mapToInt(MethodDescriptor::number)
			.findFirst()
			.orElseThrow();
	}

}
