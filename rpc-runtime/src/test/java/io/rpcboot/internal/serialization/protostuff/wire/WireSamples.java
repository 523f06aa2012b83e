package io.rpcboot.internal.serialization.protostuff.wire;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
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
import java.util.BitSet;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicStampedReference;

import com.acme.Orders;

import io.rpcboot.internal.serialization.types.kind.MapKind;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.internal.serialization.types.kind.ResolvedType;

/**
 * The values whose bytes docs/wire-types.md shows, by what the document says of them: the
 * type as in a contract, then the value.
 */
final class WireSamples {

	private final Map<String, Object> all = new LinkedHashMap<>();

	private WireSamples() {
	}

	static Map<String, Object> values() {
		WireSamples samples = new WireSamples();
		samples.addNumbers();
		samples.addTimes();
		samples.addOthers();
		samples.addContainers();
		return samples.all;
	}

	private void add(String described, Object value) {
		this.all.put(described, value);
	}

	private void addNumbers() {
		add("`int` 300", 300);
		add("`int` -1", -1);
		add("`long` -2", -2L);
		add("`byte` -1", (byte) -1);
		add("`short` 300", (short) 300);
		add("`char` 'A'", 'A');
		add("`boolean` true", true);
		add("`float` 1.5", 1.5f);
		add("`double` 1.5", 1.5);
		add("`java.math.BigInteger` -129", BigInteger.valueOf(-129));
		add("`java.math.BigDecimal` 12.50", new BigDecimal("12.50"));
		add("`java.util.concurrent.atomic.AtomicInteger` 5", new AtomicInteger(5));
	}

	private void addTimes() {
		LocalDateTime local = LocalDateTime.of(2024, 2, 29, 12, 34, 56);
		add("`java.time.LocalDate` 2024-02-29", LocalDate.of(2024, 2, 29));
		add("`java.time.LocalTime` 12:34:56", LocalTime.of(12, 34, 56));
		add("`java.time.LocalTime` 12:34:56.789", LocalTime.of(12, 34, 56, 789_000_000));
		add("`java.time.LocalTime` 12:34:56.000001", LocalTime.of(12, 34, 56, 1000));
		add("`java.time.LocalTime` 12:34:56.000000001", LocalTime.of(12, 34, 56, 1));
		add("`java.time.LocalDateTime` 2024-02-29T12:34:56", local);
		add("`java.time.Instant` 1970-01-01T00:00:01.5Z", Instant.ofEpochSecond(1, 500_000_000));
		add("`java.time.Duration` -1 s", Duration.ofSeconds(-1));
		add("`java.time.Period` P1Y2M-3D", Period.of(1, 2, -3));
		add("`java.time.OffsetDateTime` 2024-02-29T12:34:56+01:00", local.atOffset(ZoneOffset.ofHours(1)));
		add("`java.time.ZonedDateTime` 2024-02-29T12:34:56+01:00[Europe/Berlin]",
				local.atZone(ZoneId.of("Europe/Berlin")));
		add("`java.time.OffsetTime` 12:34:56+01:00", local.toLocalTime().atOffset(ZoneOffset.ofHours(1)));
		add("`java.time.Year` 2024", Year.of(2024));
		add("`java.time.YearMonth` 2024-02", YearMonth.of(2024, 2));
		add("`java.time.MonthDay` --02-29", MonthDay.of(2, 29));
		add("`java.time.ZoneOffset` +01:00", ZoneOffset.ofHours(1));
		add("`java.util.Date` 1 ms after 1970", new Date(1));
		Timestamp timestamp = new Timestamp(1500);
		timestamp.setNanos(500_000_001);
		add("`java.sql.Timestamp` 1.500000001 s after 1970", timestamp);
	}

	private void addOthers() {
		add("`java.lang.String` \"€\"", "€");
		add("`byte[]` 1, 2", new byte[] { 1, 2 });
		add("`java.nio.ByteBuffer` 1, 2", ByteBuffer.wrap(new byte[] { 1, 2 }));
		add("`java.util.BitSet` {0, 9}", BitSet.valueOf(new long[] { 0x201 }));
		add("`java.util.UUID` 00112233-4455-6677-8899-aabbccddeeff",
				UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
		add("`java.net.URI` \"urn:a\"", URI.create("urn:a"));
		add("`java.util.Locale` \"pt-BR\"", Locale.forLanguageTag("pt-BR"));
		add("`java.net.InetAddress` 10.0.0.1", address());
		add("`com.acme.Orders$State` CLOSED", Orders.State.CLOSED);
		add("`com.acme.Orders$Line` (\"pen\", 2)", new Orders.Line("pen", 2));
		add("`com.acme.Orders$Line` (null, 0)", new Orders.Line(null, 0));
		add("`com.acme.Orders$Payment+` Card(\"7\")", new Orders.Card("7"));
		add("`com.acme.Orders$Payment+` Cash()", new Orders.Cash());
	}

	private static InetAddress address() {
		try {
			return InetAddress.getByAddress(new byte[] { 10, 0, 0, 1 });
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void addContainers() {
		add("`java.util.List<java.lang.Integer>` [1, 2]", List.of(1, 2));
		add("`java.util.List<java.lang.Integer>` []", List.of());
		add("`java.util.List<java.lang.Integer>` [1, null]", Arrays.asList(1, null));
		add("`java.util.List<java.util.List<java.lang.Integer>>` [[1, 2], []]", List.of(List.of(1, 2), List.of()));
		SortedSet<Integer> reversed = new TreeSet<>(Collections.reverseOrder());
		reversed.addAll(List.of(1, 2));
		add("`java.util.SortedSet<java.lang.Integer>` {1, 2}", new TreeSet<>(List.of(1, 2)));
		add("`java.util.SortedSet<java.lang.Integer>` {2, 1} in reverse order", reversed);
		addAnyCase();
		add("`java.util.Map<java.lang.String,java.lang.Integer>` {\"a\": 1}", Map.of("a", 1));
		add("`java.util.Map<java.lang.String,java.lang.Integer>` {\"a\": null}", Collections.singletonMap("a", null));
		add("`java.util.Map<java.lang.String,java.lang.Integer>` {}", Map.of());
		add("`java.util.Map<java.lang.String,java.util.List<java.lang.Integer>>` {\"a\": []}",
				Map.of("a", new ArrayList<>()));
		add("`int[]` 1, 2", new int[] { 1, 2 });
		add("`java.lang.Integer[]` 1, null", new Integer[] { 1, null });
		add("`int[][]` {{1}, {}}", new int[][] { { 1 }, {} });
		add("`java.util.Optional<java.lang.Integer>` 1", Optional.of(1));
		add("`java.util.Optional<java.lang.Integer>` empty", Optional.empty());
		add("`java.util.OptionalInt` 1", OptionalInt.of(1));
		add("`java.util.concurrent.atomic.AtomicStampedReference<java.lang.Integer>` 1, stamp 7",
				new AtomicStampedReference<>(1, 7));
	}

	/** Rows of a table, and what {@code CASE_INSENSITIVE_ORDER} sorts. */
	private void addAnyCase() {
		SortedSet<String> sorted = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		sorted.addAll(List.of("B", "a"));
		add("`java.util.Set<java.lang.String>` {\"a\", \"B\"} of `CASE_INSENSITIVE_ORDER`", sorted);
		Map<Object, Object> row = Objects.requireNonNull(MapKind.of(ResolvedType.of(Map.class)))
			.create(Order.LOWER_CASE);
		row.put("ID", 1);
		add("`java.util.Set<java.lang.String>` {\"ID\"} of a row", row.keySet());
		add("`java.util.Map<java.lang.String,java.lang.Integer>` {\"ID\": 1}, a row", row);
		Map<String, Integer> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		map.put("a", 1);
		add("`java.util.Map<java.lang.String,java.lang.Integer>` {\"a\": 1} of `CASE_INSENSITIVE_ORDER`", map);
	}

	/** A method for each type. */
	public interface Samples {

		void value(int value);

		void value(long value);

		void value(byte value);

		void value(short value);

		void value(char value);

		void value(boolean value);

		void value(float value);

		void value(double value);

		void value(BigInteger value);

		void value(BigDecimal value);

		void value(AtomicInteger value);

		void value(LocalDate value);

		void value(LocalTime value);

		void value(LocalDateTime value);

		void value(Instant value);

		void value(Duration value);

		void value(Period value);

		void value(OffsetDateTime value);

		void value(ZonedDateTime value);

		void value(OffsetTime value);

		void value(Year value);

		void value(YearMonth value);

		void value(MonthDay value);

		void value(ZoneOffset value);

		void value(Date value);

		void value(Timestamp value);

		void value(String value);

		void value(byte[] value);

		void value(ByteBuffer value);

		void value(BitSet value);

		void value(UUID value);

		void value(URI value);

		void value(Locale value);

		void value(InetAddress value);

		void value(Orders.State value);

		void value(Orders.Line value);

		void value(Orders.Payment value);

		void value(List<Integer> value);

		void nested(List<List<Integer>> value);

		void value(SortedSet<Integer> value);

		void value(Set<String> value);

		void value(Map<String, Integer> value);

		void nested(Map<String, List<Integer>> value);

		void value(int[] value);

		void value(Integer[] value);

		void value(int[][] value);

		void value(Optional<Integer> value);

		void value(OptionalInt value);

		void value(AtomicStampedReference<Integer> value);

	}

}
