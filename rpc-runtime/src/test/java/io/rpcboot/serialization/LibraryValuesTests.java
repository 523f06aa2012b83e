package io.rpcboot.serialization;

import java.nio.CharBuffer;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import com.google.common.collect.Ordering;
import com.google.common.collect.Sets;
import kotlin.Pair;
import kotlin.collections.CollectionsKt;
import kotlin.collections.MapsKt;
import kotlin.collections.SetsKt;
import kotlin.comparisons.ComparisonsKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Values that libraries return where types of the JDK are declared. */
public class LibraryValuesTests {

	private static final List<Serializer> JSON = List.of(new JacksonSerializer());

	private static final List<Serializer> SERIALIZERS = List.of(new ProtostuffSerializer(), JSON.get(0));

	private static final Instant INSTANT = Instant.parse("2026-11-26T10:15:30.123456789Z");

	private static final Date DATE = Date.from(Instant.parse("2026-11-26T10:15:30.123Z"));

	private static final Comparator<String> BY_LENGTH = Comparator.comparing(String::length);

	/** Value that a method returns, and the one that arrives. */
	record Row(String method, Object value, Object expected) {

		@Override
		public String toString() {
			return this.method + " " + this.value.getClass().getName();
		}

	}

	private static MethodCodec codec(Serializer serializer, String method) {
		return SilentChangesTests.method(serializer, Service.class, method);
	}

	private static void assertRefused(String method, Object value, String... message) {
		assertRefused(SERIALIZERS, method, value, message);
	}

	private static void assertRefused(List<Serializer> serializers, String method, Object value, String... message) {
		for (Serializer each : serializers) {
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> codec(each, method).serializeResult(value, new OutputBuffer(new byte[64], 1 << 16)))
				.withMessageContaining(method + "(): result")
				.withMessageContainingAll(message);
		}
	}

	@SuppressWarnings("serial")
	static List<Row> dates() {
		Timestamp timestamp = Timestamp.from(INSTANT);
		Date own = new Date(DATE.getTime()) {
			@Override
			public String toString() {
				return "own";
			}
		};
		java.sql.Date day = new java.sql.Date(DATE.getTime());
		return List.of(new Row("date", timestamp, DATE), new Row("date", day, DATE),
				new Row("date", new Time(DATE.getTime()), DATE), new Row("date", own, DATE),
				new Row("dates", Arrays.asList(timestamp, null, day, own), Arrays.asList(DATE, null, DATE, DATE)),
				new Row("dateSet", Set.of(timestamp), Set.of(DATE)),
				new Row("datesByName", Map.of("a", timestamp), Map.of("a", DATE)),
				new Row("namesByDate", Map.of(timestamp, "a"), Map.of(DATE, "a")),
				new Row("optionalDate", Optional.of(timestamp), Optional.of(DATE)),
				new Row("visit", new Visit(timestamp, List.of(own)), new Visit(DATE, List.of(DATE))),
				new Row("timestamp", new OwnTimestamp(INSTANT), timestamp), new Row("any", timestamp, timestamp),
				new Row("any", own, DATE), new Row("any", new OwnTimestamp(INSTANT), timestamp));
	}

	@ParameterizedTest
	@MethodSource("dates")
	void date_arrivesAsTheDeclaredClass(Row row) {
		assertArrives(row);
	}

	@Test
	void fieldsAndArraysOfDates_acceptSubclasses() {
		for (Serializer each : SERIALIZERS) {
			Customer customer = new Customer();
			customer.created = Timestamp.from(INSTANT);
			Customer arrived = (Customer) SilentChangesTests.echo(codec(each, "customer"), customer);
			assertThat(arrived.created).isExactlyInstanceOf(Date.class).isEqualTo(DATE);
			Date[] dates = (Date[]) SilentChangesTests.echo(codec(each, "dateArray"),
					new Date[] { Timestamp.from(INSTANT) });
			assertThat(dates).containsExactly(DATE)
				.allSatisfy((date) -> assertThat(date.getClass()).isEqualTo(Date.class));
		}
	}

	static List<Row> sorted() {
		List<String> names = List.of("ccc", "a", "bb");
		TreeSet<String> byLength = new TreeSet<>(BY_LENGTH.reversed());
		byLength.addAll(names);
		TreeMap<String, Integer> mapByLength = new TreeMap<>(BY_LENGTH.reversed());
		names.forEach((each) -> mapByLength.put(each, each.length()));
		Set<String> longestFirst = set("ccc", "bb", "a");
		Map<String, Integer> mapLongestFirst = map("ccc", "bb", "a");
		TreeSet<String> explicit = new TreeSet<>(Ordering.explicit("bb", "ccc", "a"));
		explicit.addAll(names);
		TreeSet<String> reversed = new TreeSet<>(Comparator.reverseOrder());
		reversed.addAll(names);
		return List.of(new Row("set", byLength, longestFirst),
				new Row("set", new ConcurrentSkipListSet<>(byLength), longestFirst),
				new Row("set", Collections.unmodifiableSortedSet(byLength), longestFirst),
				new Row("set", mapByLength.keySet(), longestFirst), new Row("set", explicit, set("bb", "ccc", "a")),
				new Row("collection", byLength, new ArrayList<>(longestFirst)), new Row("any", byLength, longestFirst),
				new Row("any", mapByLength, mapLongestFirst), new Row("map", mapByLength, mapLongestFirst),
				new Row("map", new ConcurrentSkipListMap<>(mapByLength), mapLongestFirst),
				new Row("map", ImmutableSortedMap.copyOf(mapByLength, BY_LENGTH), map("a", "bb", "ccc")),
				new Row("set", ImmutableSortedSet.copyOf(names), set("a", "bb", "ccc")),
				new Row("sortedSet", ImmutableSortedSet.copyOf(names), new TreeSet<>(names)),
				new Row("sortedSet", ImmutableSortedSet.copyOf(Ordering.natural().reverse(), names), reversed),
				new Row("any", ImmutableSortedSet.copyOf(names), new TreeSet<>(names)),
				new Row("map", ImmutableSortedMap.copyOf(mapByLength), map("a", "bb", "ccc")),
				new Row("sortedMap", ImmutableSortedMap.copyOf(Map.of("a", 1)), new TreeMap<>(Map.of("a", 1))),
				new Row("sortedSet", SetsKt.sortedSetOf(ComparisonsKt.naturalOrder(), "ccc", "a", "bb"),
						new TreeSet<>(names)),
				new Row("sortedSet", SetsKt.sortedSetOf(ComparisonsKt.reverseOrder(), "ccc", "a", "bb"), reversed),
				new Row("set", SetsKt.sortedSetOf(ComparisonsKt.naturalOrder(), "b", "a"), set("a", "b")));
	}

	@ParameterizedTest
	@MethodSource("sorted")
	void sortedEntries_arriveInTheirOrder(Row row) {
		assertArrives(row);
	}

	@Test
	void ownOrder_isRefused_whereSortedTypeIsDeclared() {
		TreeSet<String> set = new TreeSet<>(BY_LENGTH);
		TreeMap<String, Integer> map = new TreeMap<>(BY_LENGTH);
		String remedy = "(expected: the natural order or its reverse, because a comparator is code); declare java.util.";
		assertRefused("sortedSet", set, "sorted by java.util.Comparator$$Lambda",
				remedy + "Set, which keeps the order");
		assertRefused("treeSet", set, remedy + "Set");
		assertRefused("sortedMap", map, remedy + "Map");
		assertRefused("any", new PriorityQueue<>(BY_LENGTH), remedy + "Queue");
	}

	@Test
	void keysThatOtherKeysFind_areRefusedByJson_withTheCopyToSend() {
		TreeSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		set.add("Content-Type");
		TreeMap<String, Integer> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		map.put("Content-Type", 1);
		assertRefused(JSON, "set", set, "java.util.TreeSet, which finds 'content-type' without having it",
				"send a copy of it in a LinkedHashSet");
		assertRefused(JSON, "map", map, "java.util.TreeMap, which finds 'content-type' without having it",
				"send a copy of it in a LinkedHashMap");
		assertArrives(new Row("set", new LinkedHashSet<>(set), set("Content-Type")));
	}

	@SuppressWarnings("serial")
	static List<Row> collections() {
		HashMultiset<String> bag = HashMultiset.create(List.of("a", "a"));
		List<String> built = CollectionsKt.createListBuilder();
		built.add("a");
		Map<String, Integer> pairs = MapsKt.toMap(List.of(new Pair<>("a", 1), new Pair<>("bb", 2)));
		return List.of(new Row("list", ImmutableList.of("a", "b"), list("a", "b")),
				new Row("list", Lists.transform(List.of(1, 2), String::valueOf), list("1", "2")),
				new Row("list", Lists.reverse(list("b", "a")), list("a", "b")),
				new Row("collection", bag, list("a", "a")), new Row("set", ImmutableSet.of("b", "a"), set("b", "a")),
				new Row("set", Sets.union(set("b"), set("a")), set("b", "a")),
				new Row("map", ImmutableMap.of("bb", 2, "a", 1), map("bb", "a")),
				new Row("map", ImmutableBiMap.of("a", 1), map("a")),
				new Row("map", Maps.transformValues(map("a", "bb"), (each) -> each), map("a", "bb")),
				new Row("lists", ImmutableListMultimap.of("a", "x", "a", "y").asMap(), Map.of("a", list("x", "y"))),
				new Row("list", CollectionsKt.listOf("a", "b"), list("a", "b")),
				new Row("list", CollectionsKt.emptyList(), list()), new Row("list", built, list("a")),
				new Row("set", SetsKt.setOf("b", "a"), set("b", "a")), new Row("set", SetsKt.emptySet(), set()),
				new Row("map", pairs, map("a", "bb")), new Row("map", MapsKt.emptyMap(), map()),
				new Row("map", MapsKt.toSortedMap(pairs, ComparisonsKt.reverseOrder()), map("bb", "a")),
				new Row("map", new HashMap<String, Integer>() {
					{
						put("a", 1);
					}
				}, map("a")), new Row("list", new ArrayList<String>() {
					{
						add("a");
					}
				}, list("a")));
	}

	@ParameterizedTest
	@MethodSource("collections")
	void collection_arrivesAsTheDeclaredInterfaceHasIt(Row row) {
		assertArrives(row);
	}

	static Stream<CharSequence> texts() {
		return Stream.of(new StringBuilder("text"), new StringBuffer("text"), CharBuffer.wrap("text"), "text");
	}

	@ParameterizedTest
	@MethodSource("texts")
	void charSequence_arrivesAsText(CharSequence text) {
		assertArrives(new Row("text", text, "text"));
	}

	private static void assertArrives(Row row) {
		for (Serializer each : SERIALIZERS) {
			Object arrived = SilentChangesTests.echo(codec(each, row.method()), row.value());
			assertThat(arrived).isEqualTo(row.expected()).hasToString(row.expected().toString());
			if (!(row.expected() instanceof Collection || row.expected() instanceof Map)
					|| row.expected() instanceof TreeSet || row.expected() instanceof TreeMap) {
				assertThat(arrived).isExactlyInstanceOf(row.expected().getClass());
			}
		}
	}

	private static List<String> list(String... elements) {
		return new ArrayList<>(Arrays.asList(elements));
	}

	private static Set<String> set(String... elements) {
		return new LinkedHashSet<>(Arrays.asList(elements));
	}

	private static Map<String, Integer> map(String... keys) {
		Map<String, Integer> map = new LinkedHashMap<>();
		Arrays.asList(keys).forEach((each) -> map.put(each, each.length()));
		return map;
	}

	/** Service of a repository. */
	public interface Service {

		Date date();

		List<Date> dates();

		Set<Date> dateSet();

		Map<String, Date> datesByName();

		Map<Date, String> namesByDate();

		Optional<Date> optionalDate();

		Date[] dateArray();

		Timestamp timestamp();

		Visit visit();

		Customer customer();

		Object any();

		CharSequence text();

		Set<String> set();

		SortedSet<String> sortedSet();

		TreeSet<String> treeSet();

		Collection<String> collection();

		List<String> list();

		Map<String, Integer> map();

		SortedMap<String, Integer> sortedMap();

		Map<String, Collection<String>> lists();

	}

	/** Row of a table as a record. */
	public record Visit(Date at, List<Date> more) {
	}

	/** Row of a table as a bean. */
	public static class Customer {

		Date created;

	}

	/** Timestamp of a driver. */
	@SuppressWarnings("serial")
	private static final class OwnTimestamp extends Timestamp {

		OwnTimestamp(Instant instant) {
			super(instant.toEpochMilli());
			setNanos(instant.getNano());
		}

	}

}
