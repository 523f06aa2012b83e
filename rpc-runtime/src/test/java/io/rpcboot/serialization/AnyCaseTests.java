package io.rpcboot.serialization;

import java.text.Collator;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.ProtobufCodec;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests maps and sets that find their keys in any case, as rows of {@code JdbcTemplate}
 * do: they arrive in their order with their look-ups, or are refused.
 */
public class AnyCaseTests {

	/** Letters that one of the two comparisons takes for the same. */
	private static final String DOTLESS = "\u0131D";

	/** Value that a method returns. */
	record Row(String name, String method, Object value) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	private static MethodCodec codec(String method) {
		return SilentChangesTests.method(new ProtostuffSerializer(), Service.class, method);
	}

	private static byte[] write(String method, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[16], 1 << 16);
		codec(method).serializeResult(value, out);
		return out.toByteArray();
	}

	private static Object read(String method, byte[] bytes) {
		return codec(method).deserializeResult(bytes, 0, bytes.length);
	}

	private static Collection<?> keys(Object container) {
		return (container instanceof Map<?, ?> map) ? map.keySet() : (Collection<?>) container;
	}

	private static boolean has(Object container, Object key) {
		return (container instanceof Map<?, ?> map) ? map.containsKey(key) : ((Collection<?>) container).contains(key);
	}

	private static TreeMap<String, Integer> sorted(String... keys) {
		TreeMap<String, Integer> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		for (String each : keys) {
			map.put(each, each.length());
		}
		return map;
	}

	private static TreeSet<String> sortedSet(String... keys) {
		TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		set.addAll(List.of(keys));
		return set;
	}

	private static Map<String, Integer> row(String... keys) {
		Map<String, Integer> map = new Rows<>();
		for (String each : keys) {
			map.put(each, each.length());
		}
		return map;
	}

	static List<Row> rows() {
		TreeMap<String, Integer> map = sorted("NAME", "Id", "since");
		TreeSet<String> set = sortedSet("NAME", "Id", "since");
		return List.of(new Row("sorted map", "map", map), new Row("wrapped", "map", Collections.unmodifiableMap(map)),
				new Row("wrapped twice", "map", Collections.synchronizedMap(Collections.unmodifiableMap(map))),
				new Row("sorted map, declared", "sortedMap", map),
				new Row("wrapped sorted map", "sortedMap", Collections.unmodifiableSortedMap(map)),
				new Row("part of it", "navigableMap", map.tailMap("ID", true)),
				new Row("class of a map", "treeMap", map),
				new Row("skip list", "skipMap", new ConcurrentSkipListMap<>(map)),
				new Row("skip list as a map", "map", new ConcurrentSkipListMap<>(map)),
				new Row("concurrent map", "concurrent", new ConcurrentSkipListMap<>(map)),
				new Row("row of a table", "map", row("NAME", "Id", "since")),
				new Row("row with digits in front", "map", row("1", "_2", "NAME")),
				new Row("wrapped row", "map", Collections.unmodifiableMap(row("NAME", "Id", "since"))),
				new Row("columns of a row", "set", row("NAME", "Id", "since").keySet()),
				new Row("set of any case", "set", anyCaseSet("NAME", "Id", "since")), new Row("sorted set", "set", set),
				new Row("wrapped set", "set", Collections.unmodifiableSet(set)),
				new Row("keys of a sorted map", "set", map.keySet()), new Row("sorted set, declared", "sortedSet", set),
				new Row("class of a set", "treeSet", set),
				new Row("set as a skip list", "skipSet", new ConcurrentSkipListSet<>((SortedSet<String>) set)),
				new Row("sorted map as an object", "any", map), new Row("row as an object", "any", row("NAME", "Id")),
				new Row("set as an object", "any", set));
	}

	private static Set<String> anyCaseSet(String... keys) {
		Set<String> set = Collections.newSetFromMap(new Rows<>());
		set.addAll(List.of(keys));
		return set;
	}

	/** Sent on, it arrives again. */
	@ParameterizedTest
	@MethodSource("rows")
	void container_arrivesInItsOrder_withItsLookUps(Row row) {
		Object value = row.value();
		for (int hop = 0; hop < 3; hop++) {
			Object arrived = read(row.method(), write(row.method(), value));
			assertThat(new ArrayList<>(keys(arrived))).isEqualTo(new ArrayList<>(keys(row.value())));
			for (Object each : keys(row.value())) {
				String key = (String) each;
				for (String other : List.of(key, key.toLowerCase(Locale.ROOT), key.toUpperCase(Locale.ROOT),
						key.replace('I', '\u0131'), key.replace('s', '\u017f'), key + "x", "")) {
					assertThat(has(arrived, other)).as(other).isEqualTo(has(row.value(), other));
				}
			}
			if (arrived instanceof Map<?, ?> map) {
				assertThat(map).isEqualTo(row.value());
				assertThat(map.get("NAME")).isEqualTo(((Map<?, ?>) row.value()).get("name"));
			}
			value = arrived;
		}
	}

	@Test
	void emptySortedMap_arrivesWithItsLookUps() {
		@SuppressWarnings("unchecked")
		Map<String, Integer> arrived = (Map<String, Integer>) read("sortedMap", write("sortedMap", sorted()));
		arrived.put("Name", 1);
		assertThat(arrived).containsKey("NAME");
	}

	@Test
	void rows_arriveWithNullsAndValuesOfAnyType() {
		Map<String, Object> row = new Rows<>();
		row.put("NAME", null);
		row.put("Id", 5L);
		row.put("tags", List.of("a"));
		row.put("more", sorted("A"));
		List<?> arrived = (List<?>) read("rows", write("rows", List.of(row, new LinkedHashMap<>(row))));
		assertThat(arrived).hasSize(2).allSatisfy((each) -> assertThat(each).isEqualTo(row));
		assertThat(((Map<?, ?>) arrived.get(0)).get("iD")).isEqualTo(5L);
		assertThat(((Map<?, ?>) arrived.get(0)).containsKey("name")).isTrue();
		assertThat(((Map<?, ?>) arrived.get(1)).get("iD")).isNull();
		assertThat(((Map<?, ?>) ((Map<?, ?>) arrived.get(0)).get("MORE")).containsKey("a")).isTrue();
	}

	@Test
	void arrivedRow_isChangedLikeARow() {
		@SuppressWarnings("unchecked")
		Map<String, Integer> arrived = (Map<String, Integer>) read("map", write("map", row("NAME", "Id", "since")));
		Map<String, Integer> row = row("NAME", "Id", "since");
		for (Map<String, Integer> each : List.of(arrived, row)) {
			assertThat(each.put("name", 7)).isEqualTo(4);
			assertThat(each.remove("ID")).isEqualTo(2);
			assertThat(each.remove("other")).isNull();
			each.entrySet().iterator().next().setValue(9);
			each.putIfAbsent("Since", 8);
			assertThat(each.getOrDefault("none", 3)).isEqualTo(3);
		}
		assertThat(arrived).isEqualTo(row).hasSize(2).containsEntry("SINCE", 9).containsEntry("Name", 7);
		assertThat(arrived.keySet()).containsExactly("since", "name");
		arrived.keySet().removeIf("name"::equals);
		assertThat(arrived).hasSize(1);
		arrived.clear();
		assertThat(arrived).isEmpty();
	}

	/** Method whose declared type cannot hold it, or order that is not this one. */
	static Stream<Row> refused() {
		TreeMap<String, Integer> map = sorted("NAME", "Id");
		Comparator<String> reversed = Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER);
		TreeMap<String, Integer> byCollator = new TreeMap<>(collator());
		byCollator.putAll(map);
		Map<String, Integer> folded = new Rows<>(AnyCaseTests::fold);
		folded.put("SINCE", 1);
		folded.put("Id", 1);
		Map<String, Integer> turkish = new Rows<>((key) -> key.toLowerCase(new Locale("tr")));
		turkish.put("NAME", 1);
		turkish.put("ID", 1);
		Map<String, Integer> byHash = new HashMap<>(map) {

			private static final long serialVersionUID = 1L;

			@Override
			public boolean containsKey(Object key) {
				return map.containsKey(key);
			}
		};
		PriorityQueue<String> queue = new PriorityQueue<>(String.CASE_INSENSITIVE_ORDER);
		queue.add("a");
		return Stream.of(new Row("reverse, declared sorted", "sortedMap", map.descendingMap()),
				new Row("reverse", "map", map.descendingMap()), new Row("reverse set", "set", map.descendingKeySet()),
				new Row("comparator of others", "sortedSet", new TreeSet<>(reversed.thenComparing("a"::compareTo))),
				new Row("comparator that wraps it", "sortedMap",
						new TreeMap<>(String.CASE_INSENSITIVE_ORDER.thenComparing(Comparator.naturalOrder()))),
				new Row("collator", "map", byCollator), new Row("order that is not its comparator's", "map", folded),
				new Row("lower case of another language", "map", turkish),
				new Row("subclass where a class is declared", "hashMap", byHash), new Row("queue", "queue", queue));
	}

	private static Comparator<Object> collator() {
		Collator collator = Collator.getInstance(Locale.ROOT);
		collator.setStrength(Collator.SECONDARY);
		return collator;
	}

	private static String fold(String key) {
		StringBuilder folded = new StringBuilder();
		key.chars().forEach((each) -> folded.append((char) Character.toLowerCase(Character.toUpperCase(each))));
		return folded.toString();
	}

	@ParameterizedTest
	@MethodSource("refused")
	void otherOrder_isRefused(Row row) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> write(row.method(), row.value()))
			.withMessageMatching("(?s).*: result: .*(sorted by|which finds).*");
	}

	@ParameterizedTest
	@CsvSource({ "hashMap, map", "linkedHashMap, map", "concurrent, row", "sortedMap, row", "treeMap, row",
			"hashSet, set", "sortedSet, columns", "enumMap, map" })
	void reader_refusesWhatItCannotHold(String reader, String value) {
		byte[] bytes = switch (value) {
			case "map" -> write("map", sorted("NAME"));
			case "row" -> write("map", row("NAME"));
			case "set" -> write("set", sortedSet("NAME"));
			default -> write("set", row("NAME").keySet());
		};
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(reader, bytes))
			.withMessageContaining("keys that are found in any case, for a java.util.");
	}

	@Test
	void reader_refusesKeysThatAreNoTexts_andEqualOnes() {
		byte[] numbers = { 0x0b, 0x0e, 4, 0x0b, 0x08, 1, 0x10, 1, 0x0c, 0x0c };
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("byNumber", numbers))
			.withMessageContaining("java.lang.Integer as a key that is found in any case");
		byte[] sorted = numbers.clone();
		sorted[2] = 3;
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("byNumber", sorted));
		byte[] empty = { 0x0b, 0x0e, 4, 0x0b, 0x0c, 0x0c };
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("map", empty));
		byte[] twice = { 0x0e, 4, 0x0a, 1, 'a', 0x0a, 1, 'A' };
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("set", twice))
			.withMessageContaining("2 elements of which some are equal");
	}

	/** A reader of the first version takes the markers 0 to 2 only. */
	@ParameterizedTest
	@ValueSource(strings = { "map", "set", "sortedMap", "sortedSet" })
	void kind_isAnnounced_inFrontOfTheElements(String method) {
		Object value = method.endsWith("Map") || method.equals("map") ? sorted("a") : sortedSet("a");
		byte[] bytes = write(method, value);
		assertThat(bytes).containsSequence(0x0e, 3);
		assertThat(bytes[(bytes[0] == 0x0b) ? 1 : 0]).isEqualTo((byte) 0x0e);
	}

	@Test
	void protobuf_refusesIt() {
		ServiceDescriptor service = ServiceDescriptor.of(Plain.class);
		MethodCodec codec = ProtobufCodec.of(service, TypeOptions.NONE, NumberLock.NONE).method(0);
		for (Object each : List.of(sorted("NAME"), row("NAME"))) {
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> codec.serializeResult(each, new OutputBuffer(new byte[16], 1000)))
				.withMessageContaining("which finds 'name' without having it");
		}
	}

	@Test
	void finalField_keepsItsLookUps_orRefuses() {
		Held.made = sorted();
		Held held = new Held();
		held.map.putAll(sorted("NAME", "Id"));
		byte[] bytes = write("held", held);
		Held.made = sorted();
		assertThat(((Held) read("held", bytes)).map).containsKey("name").hasSize(2);
		Held.made = new LinkedHashMap<>();
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("held", bytes))
			.withMessageContaining(".map: a java.util.TreeMap for a final field");
	}

	@Test
	void comparisons_differ_forLettersOfOtherLanguages() {
		assertThat(sorted("ID")).containsKey(DOTLESS);
		assertThat(has(read("map", write("map", Collections.unmodifiableMap(sorted("ID")))), DOTLESS)).isTrue();
		Object row = read("map", write("map", row("ID")));
		assertThat(has(row, DOTLESS)).isFalse();
		assertThat(has(row, "id")).isTrue();
	}

	/** Row of a table: in its order, keys by their lower case. */
	private static final class Rows<V> extends LinkedHashMap<String, V> {

		private static final long serialVersionUID = 1L;

		private final transient UnaryOperator<String> comparison;

		private final transient Map<String, String> keys = new HashMap<>();

		Rows() {
			this((key) -> key.toLowerCase(Locale.ROOT));
		}

		Rows(UnaryOperator<String> comparison) {
			this.comparison = comparison;
		}

		private @Nullable Object known(@Nullable Object key) {
			return (key instanceof String text) ? this.keys.get(this.comparison.apply(text)) : null;
		}

		@Override
		public V put(String key, V value) {
			String before = this.keys.put(this.comparison.apply(key), key);
			V old = (before != null && !before.equals(key)) ? super.remove(before) : null;
			V replaced = super.put(key, value);
			return (old != null) ? old : replaced;
		}

		@Override
		public V putIfAbsent(String key, V value) {
			return containsKey(key) ? get(key) : put(key, value);
		}

		@Override
		public V get(Object key) {
			return super.get(known(key));
		}

		@Override
		public V getOrDefault(Object key, V other) {
			return containsKey(key) ? get(key) : other;
		}

		@Override
		public boolean containsKey(Object key) {
			return known(key) != null;
		}

		@Override
		public V remove(Object key) {
			Object known = known(key);
			this.keys.values().remove(known);
			return super.remove(known);
		}

		@Override
		public Set<String> keySet() {
			return new AbstractSet<>() {
				@Override
				public Iterator<String> iterator() {
					return Rows.super.keySet().iterator();
				}

				@Override
				public boolean contains(Object key) {
					return containsKey(key);
				}

				@Override
				public int size() {
					return Rows.this.size();
				}
			};
		}

	}

	/** A bean whose constructor makes the map. */
	public static class Held {

		private static Map<String, Integer> made = Map.of();

		public final Map<String, Integer> map;

		public Held() {
			this.map = made;
		}

	}

	/** Constants. */
	public enum Constant {

		ONE

	}

	/** A method that protobuf carries. */
	public interface Plain {

		Map<String, Integer> map();

	}

	/** The methods. */
	public interface Service {

		Map<String, Integer> map();

		SortedMap<String, Integer> sortedMap();

		NavigableMap<String, Integer> navigableMap();

		TreeMap<String, Integer> treeMap();

		ConcurrentSkipListMap<String, Integer> skipMap();

		ConcurrentMap<String, Integer> concurrent();

		HashMap<String, Integer> hashMap();

		LinkedHashMap<String, Integer> linkedHashMap();

		EnumMap<Constant, Integer> enumMap();

		Map<Integer, Integer> byNumber();

		List<Map<String, Object>> rows();

		Set<String> set();

		SortedSet<String> sortedSet();

		TreeSet<String> treeSet();

		ConcurrentSkipListSet<String> skipSet();

		HashSet<String> hashSet();

		PriorityQueue<String> queue();

		Held held();

		Object any();

	}

}
