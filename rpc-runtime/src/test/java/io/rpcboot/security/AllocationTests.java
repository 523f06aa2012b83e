package io.rpcboot.security;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.fuzz.Bounds;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the bytes that a reader allocates for the worst input of each type: at most 16
 * times its length and a constant.
 */
public class AllocationTests {

	private static final ServiceCodec CODEC = new ProtostuffSerializer().codec(ServiceDescriptor.of(Lists.class));

	/** Small values of which there are as many as fit. */
	public interface Lists {

		List<String> texts();

		List<byte[]> arrays();

		List<Integer> integers();

		List<Long> longs();

		List<List<Integer>> lists();

		List<LinkedList<Integer>> linkedLists();

		List<Set<Integer>> sets();

		List<TreeSet<Integer>> treeSets();

		List<Map<Integer, Integer>> maps();

		List<Map<Small, Integer>> recordMaps();

		List<Set<Small>> recordSets();

		List<TreeMap<Integer, Integer>> treeMaps();

		List<Optional<Optional<Integer>>> optionals();

		List<BigInteger> bigIntegers();

		List<BigDecimal> bigDecimals();

		List<LocalDate> dates();

		List<LocalTime> times();

		List<LocalDateTime> dateTimes();

		List<ZoneOffset> offsets();

		List<ZoneId> zones();

		List<Wide> beans();

		List<WideRecord> records();

		LinkedList<String> linkedTexts();

		Set<Integer> integerSet();

		TreeSet<Integer> integerTreeSet();

		Set<Small> recordSet();

		Map<Integer, Boolean> integerMap();

		HashMap<Small, String> recordMap();

		List<int[]> intArrays();

		List<long[][]> longTables();

		List<String[]> textArrays();

		Object[] objects();

		List<Object> anything();

		List<Locale> locales();

		List<URI> uris();

		List<URL> urls();

		List<Charset> charsets();

		List<TimeZone> timeZones();

		List<InetAddress> hosts();

		List<BitSet> bits();

		List<AtomicInteger> counters();

		List<Timestamp> timestamps();

		List<AtomicStampedReference<Integer>> stamped();

		List<IdentityHashMap<String, String>> identities();

		List<LinkedBlockingQueue<String>> queues();

		List<ArrayDeque<Integer>> deques();

		List<ConcurrentHashMap<String, String>> concurrent();

		List<ConcurrentSkipListMap<String, String>> skipLists();

		List<WeakHashMap<String, String>> weak();

		String text();

		ArrayList<Map<String, List<Set<String>>>> mixed();

	}

	/** A bean of many fields, none of which has to be there. */
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

	/**
	 * Bytes that are repeated.
	 *
	 * @param method whose result they are
	 * @param unit the bytes; null where each is different
	 */
	record Case(String method, byte[] unit) {

		static Case of(String method, Wire unit) {
			return new Case(method, unit.toByteArray());
		}

		byte[] ofLength(int length) {
			Wire wire = new Wire();
			if (this.method.equals("text")) {
				return wire.bytes(1, "é".repeat(length / 2).getBytes(java.nio.charset.StandardCharsets.UTF_8))
					.toByteArray();
			}
			if (this.unit != null) {
				byte[] repeated = new byte[length / this.unit.length * this.unit.length];
				for (int i = 0; i < repeated.length; i++) {
					repeated[i] = this.unit[i % this.unit.length];
				}
				return repeated;
			}
			boolean isMap = this.method.endsWith("Map");
			if (isMap) {
				wire.start(1);
			}
			for (int i = 0, size = 0; size < length; i++) {
				byte[] element = element(i).toByteArray();
				wire.raw(signed(element));
				size += element.length;
			}
			return (isMap ? wire.end(1) : wire).toByteArray();
		}

		private Wire element(int i) {
			Wire small = new Wire().number(1, i & 0x7f).number(2, i >> 7);
			return switch (this.method) {
				case "integerMap" -> new Wire().group(1, new Wire().number(1, i).number(2, 1));
				case "recordMap" -> new Wire().group(1, new Wire().group(1, small));
				case "recordSet" -> new Wire().group(1, small);
				default -> new Wire().number(1, i);
			};
		}

		private static int[] signed(byte[] bytes) {
			int[] result = new int[bytes.length];
			for (int i = 0; i < bytes.length; i++) {
				result[i] = bytes[i];
			}
			return result;
		}

		@Override
		public String toString() {
			return this.method + ((this.unit != null) ? " " + java.util.HexFormat.of().formatHex(this.unit) : "");
		}

	}

	static Stream<Case> cases() {
		Wire none = new Wire().start(1).end(1);
		Wire number = new Wire().start(1).number(1, 1000).end(1);
		Wire entry = new Wire().group(1, new Wire().group(1, new Wire().number(1, 1).number(2, 2)));
		Stream<Case> units = Stream.of(Case.of("texts", new Wire().text(1, "")),
				Case.of("texts", new Wire().text(1, "a")), Case.of("texts", new Wire().text(1, "é")),
				Case.of("texts", new Wire().text(1, "123456789")), Case.of("texts", new Wire().text(1, "12中")),
				Case.of("texts", new Wire().raw(0x0e, 1)), Case.of("arrays", new Wire().bytes(1)),
				Case.of("arrays", new Wire().bytes(1, (byte) 1)), Case.of("integers", new Wire().number(1, 200)),
				Case.of("longs", new Wire().number(1, 200)), Case.of("lists", none), Case.of("lists", number),
				Case.of("lists", new Wire().group(1, new Wire().raw(0x0e, 1))), Case.of("linkedLists", none),
				Case.of("linkedLists", number), Case.of("sets", none), Case.of("sets", number),
				Case.of("treeSets", none), Case.of("treeSets", number), Case.of("maps", none), Case.of("maps", entry),
				Case.of("maps", new Wire().group(1, new Wire().group(1, new Wire()))), Case.of("recordMaps", none),
				Case.of("recordMaps", new Wire().group(1, new Wire().group(1, new Wire().group(1, new Wire())))),
				Case.of("recordSets", none),
				Case.of("recordSets", new Wire().group(1, new Wire().group(1, new Wire()))), Case.of("treeMaps", none),
				Case.of("treeMaps", entry), Case.of("optionals", none), Case.of("optionals", new Wire().group(1, none)),
				Case.of("optionals", new Wire().group(1, number)),
				Case.of("bigIntegers", new Wire().bytes(1, (byte) 99)),
				Case.of("bigDecimals", new Wire().group(1, new Wire().number(1, 1).bytes(2, (byte) 99))),
				Case.of("dates", new Wire().number(1, 2 * (1 << 5 | 1))), Case.of("times", new Wire().number(1, 4)),
				Case.of("dateTimes", new Wire().bytes(1, (byte) 66, (byte) 4)),
				Case.of("offsets", new Wire().number(1, 1)), Case.of("zones", new Wire().text(1, "Z")),
				Case.of("zones", new Wire().text(1, "UTC+01:02:03")),
				Case.of("zones", new Wire().text(1, "Asia/Tokyo")), Case.of("beans", none),
				Case.of("beans", new Wire().group(1, new Wire().text(26, ""))), Case.of("records", none),
				Case.of("linkedTexts", new Wire().text(1, "")), Case.of("linkedTexts", new Wire().raw(0x0e, 1)),
				Case.of("linkedTexts", new Wire().text(1, "ab")), Case.of("mixed", none),
				Case.of("intArrays", new Wire().group(1, new Wire().number(1, 0))),
				Case.of("intArrays", new Wire().group(1, new Wire().number(1, 1).number(2, 1))),
				Case.of("longTables", new Wire().group(1, new Wire().number(1, 1).group(2, new Wire().number(1, 0)))),
				Case.of("textArrays", new Wire().group(1, new Wire().number(1, 1).raw(0x16, 1))),
				Case.of("locales", new Wire().text(1, "de-DE")), Case.of("locales", new Wire().text(1, "a_b_c")),
				Case.of("locales", new Wire().text(1, "de-DE-x-lvariant-POSIX")),
				Case.of("uris", new Wire().text(1, "a")), Case.of("uris", new Wire().text(1, "a://b/c?d#e")),
				Case.of("urls", new Wire().text(1, "file:")), Case.of("urls", new Wire().text(1, "jar:file:!/")),
				Case.of("charsets", new Wire().text(1, "UTF-8")), Case.of("timeZones", new Wire().text(1, "GMT")),
				Case.of("timeZones", new Wire().text(1, "GMT+01:00")), Case.of("timeZones", new Wire().text(1, "Cuba")),
				Case.of("hosts", new Wire().group(1, new Wire().bytes(1, new byte[4]))),
				Case.of("hosts", new Wire().group(1, new Wire().bytes(1, new byte[16]))),
				Case.of("bits", new Wire().bytes(1)), Case.of("bits", new Wire().bytes(1, (byte) 1)),
				Case.of("counters", new Wire().number(1, 1)),
				Case.of("timestamps", new Wire().bytes(1, (byte) 0, (byte) 0)),
				Case.of("stamped", new Wire().group(1, new Wire().number(2, 1))), Case.of("identities", none),
				Case.of("queues", none), Case.of("deques", none), Case.of("concurrent", none),
				Case.of("skipLists", none), Case.of("weak", none), Case.of("mixed",
						new Wire().group(1, new Wire().group(1, new Wire().group(2, new Wire().text(1, "a"))))));
		return Stream.concat(units,
				Stream.of("integerSet", "integerTreeSet", "recordSet", "integerMap", "recordMap", "text")
					.map((method) -> new Case(method, null)));
	}

	@ParameterizedTest
	@MethodSource("cases")
	void readerAllocation_isBounded_forWorstInput(Case worst) {
		MethodCodec method = method(worst.method());
		read(method, worst.ofLength(1 << 14));
		StringBuilder found = new StringBuilder(worst.toString());
		for (int length : new int[] { 1 << 17, 3 << 19 }) {
			byte[] bytes = worst.ofLength(length);
			boolean[] wasRead = new boolean[1];
			long allocated = Bounds.allocatedBy(() -> wasRead[0] = read(method, bytes));
			found.append(", %.1f %s".formatted(allocated / (double) bytes.length, wasRead[0] ? "read" : "refused"));
			assertThat(allocated).as(found.toString())
				.isLessThanOrEqualTo(Bounds.FACTOR * (long) bytes.length + Bounds.CONSTANT);
		}
	}

	private static boolean read(MethodCodec method, byte[] bytes) {
		try {
			method.deserializeResult(bytes, 0, bytes.length);
			return true;
		}
		catch (SerializationException ex) {
			assertThat(ex).hasMessageContaining("its objects take more than 16 times its bytes");
			return false;
		}
	}

	private static MethodCodec method(String name) {
		for (MethodDescriptor each : ServiceDescriptor.of(Lists.class).methods()) {
			if (each.name().equals(name)) {
				return CODEC.method(each.number());
			}
		}
		throw new IllegalArgumentException(name);
	}

}
