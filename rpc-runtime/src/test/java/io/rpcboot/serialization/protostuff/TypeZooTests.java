package io.rpcboot.serialization.protostuff;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.protostuff.ZooTypes.Account;
import io.rpcboot.serialization.protostuff.ZooTypes.Colour;
import io.rpcboot.serialization.protostuff.ZooTypes.Dog;
import io.rpcboot.serialization.protostuff.ZooTypes.Empty;
import io.rpcboot.serialization.protostuff.ZooTypes.Mixed;
import io.rpcboot.serialization.protostuff.ZooTypes.Operator;
import io.rpcboot.serialization.protostuff.ZooTypes.Pair;
import io.rpcboot.serialization.protostuff.ZooTypes.Point;
import io.rpcboot.serialization.protostuff.ZooTypes.PointHolder;
import io.rpcboot.serialization.protostuff.ZooTypes.Primitives;
import io.rpcboot.serialization.protostuff.ZooTypes.Tree;
import io.rpcboot.workload.UserServiceImpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * One row a type: values come back equal and of the declared kind, as a result and as an
 * argument.
 */
class TypeZooTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource({ "values", "classes", "containers" })
	void comesBackEqual(String type, Object[] values) throws Exception {
		MethodCodec codec = Codecs.method(Zoo.class, type);
		for (Object each : values) {
			Object result = Codecs.echo(codec, each);
			assertThat(result).isEqualTo(each);
			byte[] bytes = Codecs.arguments(codec, each);
			assertThat(codec.deserializeArguments(bytes, 0, bytes.length)).containsExactly(each);
			assertDeclared(type, result);
		}
		if (!type.startsWith("primitive") || type.equals("primitives")) {
			assertThat(Codecs.echo(codec, (Object) null)).isNull();
			assertThat(Codecs.result(codec, null)).isEmpty();
		}
	}

	private static void assertDeclared(String type, Object result) {
		Class<?> declared = Stream.of(Zoo.class.getMethods())
			.filter((each) -> each.getName().equals(type))
			.findFirst()
			.orElseThrow()
			.getReturnType();
		if (!declared.isPrimitive()) {
			assertThat(result).isInstanceOf(declared);
		}
		if (declared == List.class) {
			assertThat(result).isExactlyInstanceOf(ArrayList.class);
		}
		if (declared == Set.class) {
			assertThat(result).isExactlyInstanceOf(LinkedHashSet.class);
		}
		if (declared == Map.class) {
			assertThat(result).isExactlyInstanceOf(LinkedHashMap.class);
		}
	}

	static Stream<Arguments> values() {
		return Stream.of(
				row("string", "", "Doug Lea", "北京市 中关村 1605", "a\u0000b\u007f\u0080\u07ff\u0800\uffff",
						"\ud83d\ude00 emoji", "lone \ud83d and \ude00 reversed", "x".repeat(127), "x".repeat(128),
						"é".repeat(70000), "x".repeat(42) + "中", "x".repeat(127) + "é"),
				row("integer", 0, -1, 127, 128, Integer.MIN_VALUE, Integer.MAX_VALUE),
				row("primitiveInt", 0, -1, Integer.MIN_VALUE),
				row("longs", 0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 35),
				row("shorts", Short.MIN_VALUE, Short.MAX_VALUE, (short) -1),
				row("bytes", Byte.MIN_VALUE, Byte.MAX_VALUE, (byte) -1), row("characters", 'a', '\uffff', '\u0000'),
				row("booleans", true, false),
				row("floats", 0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY),
				row("doubles", 0d, -0d, Double.NaN, Double.MAX_VALUE),
				row("byteArray", new byte[0], new byte[] { 1, -1, 127, -128 }), row("colour", Colour.RED, Colour.BLUE),
				row("operator", Operator.PLUS, Operator.MINUS), row("unit", TimeUnit.DAYS),
				row("localDate", LocalDate.of(1968, 12, 8), LocalDate.MIN, LocalDate.MAX, LocalDate.of(-1, 1, 1)),
				row("localTime", LocalTime.MIDNIGHT, LocalTime.MAX, LocalTime.of(23, 59, 59),
						LocalTime.of(1, 2, 3, 4_000_000), LocalTime.of(1, 2, 3, 4_000)),
				row("localDateTime", LocalDateTime.MIN, LocalDateTime.MAX, LocalDateTime.of(2026, 2, 28, 1, 2, 3, 999)),
				row("instant", Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.ofEpochSecond(-1, 1)),
				row("duration", Duration.ZERO, Duration.ofSeconds(Long.MIN_VALUE),
						Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), Duration.ofNanos(-1)),
				row("period", Period.ZERO, Period.of(-1, 25, Integer.MIN_VALUE)),
				row("zonedDateTime",
						ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin"))
							.withLaterOffsetAtOverlap(),
						ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 1, ZoneOffset.ofHours(-18))),
				row("offsetDateTime", OffsetDateTime.MIN, OffsetDateTime.MAX),
				row("offsetTime", OffsetTime.MIN, OffsetTime.MAX), row("year", Year.of(Year.MIN_VALUE), Year.of(2026)),
				row("yearMonth", YearMonth.of(-5, 12), YearMonth.of(Year.MAX_VALUE, 1)),
				row("monthDay", MonthDay.of(2, 29)));
	}

	static Stream<Arguments> classes() {
		return Stream.of(row("month", Month.DECEMBER), row("dayOfWeek", DayOfWeek.SUNDAY),
				row("zoneId", ZoneId.of("Asia/Shanghai"), ZoneId.of("UTC+1"), ZoneOffset.UTC),
				row("zoneOffset", ZoneOffset.ofTotalSeconds(-3661)), row("uuid", new UUID(-1, 1), new UUID(0, 0)),
				row("bigDecimal", new BigDecimal("-1.10"), new BigDecimal("1E+2147483647"), BigDecimal.ZERO,
						new BigDecimal(BigInteger.TWO.pow(300), -7)),
				row("bigInteger", BigInteger.ZERO, BigInteger.TWO.pow(300).negate()),
				row("date", new Date(0), new Date(-1)), row("point", new Point(1, -2)), row("empty", new Empty()),
				row("mixed",
						new Mixed((byte) -1, (short) -2, 'x', true, -3L, 1.5f, 2.5, "t", Colour.GREEN, new Point(3, 4),
								List.of(new Point(5, 6))),
						new Mixed((byte) 0, (short) 0, '\0', false, 0, 0, 0, null, null, null, null)),
				row("pair", new Pair<>("a", new Pair<>(1, Colour.RED)), new Pair<>(null, null)),
				row("primitives", Primitives.of(0), Primitives.of(-1), Primitives.of(0x0123456789ABCDEFL)),
				row("dog", dog()), row("account", Account.of(7, List.of("a", "b"), "note"), Account.of(-7, null, null)),
				row("tree", Tree.of("root", Tree.of("left", Tree.of("leaf")), Tree.of("right"))),
				row("pointHolder", PointHolder.of(new Point(1, 2)), new PointHolder()),
				row("users", new UserServiceImpl().listUser(3)), row("optional", Optional.empty(), Optional.of("")));
	}

	static Stream<Arguments> containers() {
		return Stream.of(
				row("optionalLists",
						Arrays.asList(Optional.empty(), null, Optional.of(List.of()), Optional.of(List.of(1)))),
				row("strings", List.of(), List.of("a", "", "中"), Arrays.asList("a", null, null, "b"),
						Arrays.asList((String) null), new ArrayList<>(List.of("x")),
						new LinkedList<>(List.of("x", "y")), Collections.nCopies(1000, "n")),
				row("arrayList", new ArrayList<>(List.of(1, -1)), new ArrayList<Integer>()),
				row("linkedList", new LinkedList<>(Arrays.asList(1, null))),
				row("collection", new ArrayList<>(List.of(1L, 2L))),
				row("nested", List.of(), List.of(List.of()),
						List.of(List.of(List.of()), List.of(List.of(1), List.of(2, 3)), List.of()),
						Arrays.asList(null, Arrays.asList(null, Arrays.asList(1, null)), List.of(List.of(4)))),
				row("set", Set.of(), Set.of("a", "b"), new LinkedHashSet<>(Arrays.asList("z", null, "a"))),
				row("hashSet", new HashSet<>(List.of(new Point(1, 2)))),
				row("treeSet", new TreeSet<>(List.of("b", "a"))),
				row("sortedSet", new TreeSet<>(List.of(3, 1, 2)), new TreeSet<Integer>()),
				row("map", Map.of(), Map.of("a", 1), nullMap()),
				row("mapOfLists", Map.of(new Point(1, 1), List.of(Map.of(Colour.RED, "r"), Map.of())),
						Map.of(new Point(0, 0), List.of())),
				row("hashMap", new HashMap<>(Map.of(1L, true))),
				row("treeMap", new TreeMap<>(Map.of("b", "1", "a", "2"))),
				row("sortedMap", new TreeMap<>(Map.of(LocalDate.EPOCH, new Point(1, 2)))),
				row("result", new Pair<>(1, null)));
	}

	private static Arguments row(String type, Object... values) {
		return arguments(type, values);
	}

	private static Dog dog() {
		Dog dog = new Dog();
		dog.setName("Rex");
		dog.setBorn(LocalDate.of(2020, 2, 29));
		dog.setAge(-6);
		return dog;
	}

	private static Map<String, Integer> nullMap() {
		Map<String, Integer> map = new LinkedHashMap<>();
		map.put("z", 1);
		map.put(null, 2);
		map.put("a", null);
		map.put("", 0);
		return map;
	}

}
