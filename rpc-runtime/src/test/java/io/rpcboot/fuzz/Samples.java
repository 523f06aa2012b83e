package io.rpcboot.fuzz;

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
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import io.rpcboot.fuzz.KitchenSink.Colour;
import io.rpcboot.fuzz.KitchenSink.Containers;
import io.rpcboot.fuzz.KitchenSink.Holder;
import io.rpcboot.fuzz.KitchenSink.Node;
import io.rpcboot.fuzz.KitchenSink.Numbers;
import io.rpcboot.fuzz.KitchenSink.Point;
import io.rpcboot.fuzz.KitchenSink.Times;

/** Arguments and results of {@link KitchenSink}, by the name of the method. */
final class Samples {

	private Samples() {
	}

	static Map<String, Object[]> arguments() {
		Map<String, Object[]> samples = new HashMap<>();
		samples.put("scalars",
				new Object[] { true, (byte) -1, (short) 300, 'x', -7, 1L << 40, 1.5f, -2.5, false, (byte) 5, (short) -6,
						'é', 1 << 20, -1L, Float.NaN, Double.MAX_VALUE, "text 中 \uD83D\uDE00", new byte[] { 1, 2, 3 },
						Colour.GREEN });
		samples.put("times", new Object[] { times() });
		samples.put("numbers", new Object[] { numbers() });
		samples.put("containers", new Object[] { containers() });
		samples.put("node", new Object[] { node() });
		samples.put("generic", new Object[] { new Holder<>(Map.of(new Point(1, -2), new Holder<>("deep", 3)), 4) });
		samples.put("later", new Object[] {
				Map.of(LocalDateTime.of(2026, 1, 2, 3, 4, 5), Set.of(new Point(7, 8), new Point(9, 0))) });
		samples.put("nested", new Object[] { Map.of("a", Map.of("b", Map.of("c", "d"), "e", Map.of())) });
		samples.put("arrays", new Object[] { RareSamples.arrays() });
		samples.put("names", new Object[] { RareSamples.names() });
		samples.put("kinds", new Object[] { RareSamples.kinds() });
		samples.put("shape", new Object[] { RareSamples.shapes() });
		samples.put("any", new Object[] { RareSamples.values(), "comparable", 1.5 });
		samples.put("text", new Object[] { "some text" });
		samples.put("bytes", new Object[] { new byte[20] });
		return samples;
	}

	static Map<String, Object> results() {
		Map<String, Object> samples = new HashMap<>();
		arguments().forEach((name, arguments) -> samples.put(name, arguments[0]));
		samples.put("scalars", -5);
		samples.put("shape", RareSamples.shapes().get(1));
		samples.put("generic", new Holder<>(new Holder<>(List.of(node(), node()), 1), 2));
		samples.put("later", Arrays.asList(Optional.empty(), null, Optional.of(new Point(3, 4))));
		samples.put("nested", List.of(List.of(List.of(List.of(1, 2), List.of()), List.of()), List.of()));
		return samples;
	}

	private static Times times() {
		LocalDateTime dateTime = LocalDateTime.of(2026, 2, 3, 4, 5, 6, 789_000_000);
		return new Times(LocalDate.of(2026, 2, 28), LocalTime.NOON, dateTime, Instant.ofEpochSecond(1, 2),
				Duration.ofSeconds(-3, 4), Period.of(1, -2, 3), ZonedDateTime.of(dateTime, ZoneId.of("Europe/Berlin")),
				OffsetDateTime.of(dateTime, ZoneOffset.MIN), OffsetTime.of(LocalTime.MAX, ZoneOffset.ofTotalSeconds(7)),
				Year.of(2026), YearMonth.of(2026, 12), MonthDay.of(2, 29), Month.MAY, DayOfWeek.SUNDAY,
				ZoneId.of("UTC+01:30"), ZoneOffset.ofHours(-3), new Date(5));
	}

	private static Numbers numbers() {
		return new Numbers(new BigDecimal("-12345678901234567890.5"), BigInteger.TWO.pow(100), new UUID(1, 2), -0f,
				Double.MIN_VALUE, Byte.MIN_VALUE, Short.MAX_VALUE, 'z', true);
	}

	private static Containers containers() {
		Containers containers = new Containers();
		containers.collection = List.of(1, 2, 300);
		containers.list = Arrays.asList("a", null, "");
		containers.arrayList = new ArrayList<>(List.of(new Point(1, 2)));
		containers.linkedList = new LinkedList<>(List.of(1L, -1L));
		containers.set = Set.of(new Point(0, 0));
		containers.hashSet = new HashSet<>(Set.of("x", "y"));
		containers.sortedSet = new TreeSet<>(Set.of(3, 1, 2));
		containers.treeSet = new TreeSet<>(Set.of(LocalDate.EPOCH));
		containers.map = Map.of("one", 1, "two", 2);
		containers.hashMap = new HashMap<>(Map.of(new Point(5, 6), Colour.RED));
		containers.sortedMap = new TreeMap<>(Map.of("n", node()));
		containers.navigableMap = new TreeMap<>(Map.of(new UUID(3, 4), List.of(new byte[2], new byte[0])));
		containers.treeMap = new TreeMap<>(Map.of(BigDecimal.ONE, EnumSet.allOf(Colour.class)));
		containers.optional = Optional.of(List.of("z"));
		return containers;
	}

	private static Node node() {
		Node leaf = new Node("leaf", List.of(), null, Map.of());
		return new Node("root", Arrays.asList(leaf, null), new Node(null, null, leaf, null), Map.of("k", leaf));
	}

}
