package io.rpcboot.fuzz;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.sql.Timestamp;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;

import io.rpcboot.RpcEnumDefault;

/**
 * A service whose contract holds every type that is carried, most of them in every kind
 * of place: argument, result, field, component, element, key, value.
 */
public interface KitchenSink {

	/** Every type as an argument, primitives first. */
	int scalars(boolean flag, byte small, short medium, char letter, int number, long large, float single, double real,
			Boolean box, Byte smallBox, Short mediumBox, Character letterBox, Integer numberBox, Long largeBox,
			Float singleBox, Double realBox, String text, byte[] bytes, Colour colour) throws IOException, Refused;

	Times times(Times times);

	Numbers numbers(Numbers numbers);

	Containers containers(Containers containers);

	Node node(Node node) throws Refused;

	Holder<Holder<List<Node>>> generic(Holder<Map<Point, Holder<String>>> holder);

	CompletableFuture<List<Optional<Point>>> later(Map<LocalDateTime, Set<Point>> byTime);

	List<List<List<List<Integer>>>> nested(Map<String, Map<String, Map<String, String>>> maps);

	Arrays arrays(Arrays arrays);

	Names names(Names names);

	Kinds kinds(Kinds kinds);

	Shape shape(List<Shape> shapes);

	Object any(Map<String, Object> values, Comparable<?> comparable, Number number);

	String text(String text);

	byte[] bytes(byte[] bytes);

	/** An enum. */
	enum Colour {

		RED, GREEN {
			@Override
			int shade() {
				return 1;
			}
		},
		@RpcEnumDefault
		OTHER;

		int shade() {
			return 0;
		}

	}

	/** A key whose hash anyone can choose. */
	record Point(int x, long y) {
	}

	/** All of java.time and its kind. */
	record Times(LocalDate date, LocalTime time, LocalDateTime dateTime, Instant instant, Duration duration,
			Period period, ZonedDateTime zoned, OffsetDateTime offset, OffsetTime offsetTime, Year year,
			YearMonth yearMonth, MonthDay monthDay, Month month, DayOfWeek day, ZoneId zone, ZoneOffset zoneOffset,
			Date old) {
	}

	/** Numbers and names of values. */
	record Numbers(BigDecimal decimal, BigInteger integer, UUID uuid, float single, double real, byte small,
			short medium, char letter, boolean flag) {
	}

	/** A bean that is filled after its construction. */
	class Containers {

		public Iterable<Integer> collection = new ArrayList<>();

		public List<String> list;

		public ArrayList<Point> arrayList;

		public LinkedList<Long> linkedList;

		public Set<Point> set;

		public HashSet<String> hashSet;

		public SortedSet<Integer> sortedSet;

		public TreeSet<LocalDate> treeSet;

		public Map<String, Integer> map;

		public HashMap<Point, Colour> hashMap;

		public SortedMap<String, Node> sortedMap;

		public NavigableMap<UUID, List<byte[]>> navigableMap;

		public TreeMap<BigDecimal, Set<Colour>> treeMap;

		public Optional<List<String>> optional;

	}

	/** Arrays of every kind. */
	record Arrays(boolean[] flags, short[] shorts, char[] chars, int[] ints, long[] longs, float[] floats,
			double[] doubles, int[][] table, String[] texts, Point[][] points, List<Integer>[] lists, Object[] objects,
			Colour[] colours) {
	}

	/** What stands for something by its name, and holders. */
	record Names(Locale locale, Currency currency, Charset charset, TimeZone zone, URI uri, URL url, InetAddress host,
			BitSet bits, ByteBuffer buffer, OptionalInt optional, OptionalLong optionalLong,
			OptionalDouble optionalDouble, AtomicInteger counter, AtomicReference<String> reference,
			AtomicStampedReference<Point> stamped, AtomicReferenceArray<String> atomics, Timestamp timestamp) {
	}

	/** The rarer kinds of collections and maps. Constants stay in a WeakHashMap. */
	record Kinds(ArrayDeque<Integer> deque, PriorityQueue<String> queue, Vector<Long> vector,
			CopyOnWriteArraySet<Integer> copied, EnumSet<Colour> constants, ConcurrentSkipListSet<Integer> skipping,
			LinkedBlockingQueue<String> blocking, ConcurrentHashMap<String, Integer> concurrent,
			EnumMap<Colour, String> byColour, Hashtable<String, String> table, Properties properties,
			IdentityHashMap<String, Point> identities, WeakHashMap<Boolean, Integer> weak,
			ConcurrentSkipListMap<Integer, String> skippingMap, TreeMap<String, Integer> reversed, Filled filled) {
	}

	/** A bean whose constructor makes what is filled. */
	class Filled {

		public final List<Integer> list = new ArrayList<>();

		public final Set<Point> set = new HashSet<>();

		public final Map<String, Filled> map = new ConcurrentHashMap<>();

	}

	/** A base of subtypes. */
	sealed interface Shape permits Circle, Square, Side {

	}

	/** A subtype. */
	record Circle(double radius) implements Shape {
	}

	/** A subtype that holds its base. */
	record Square(int length, Shape within) implements Shape {
	}

	/** A subtype that is an enum. */
	enum Side implements Shape {

		LEFT, RIGHT

	}

	/** A class that holds its own kind. */
	class Node {

		private final String name;

		private final List<Node> children;

		private final Node next;

		private final Map<String, Node> byName;

		public Node(String name, List<Node> children, Node next, Map<String, Node> byName) {
			this.name = name;
			this.children = children;
			this.next = next;
			this.byName = byName;
		}

		@Override
		public String toString() {
			return this.name + this.children + this.next + this.byName;
		}

	}

	/**
	 * A generic record that refuses what it does not like.
	 *
	 * @param <T> what it holds
	 */
	record Holder<T>(T value, int count) {

		public Holder {
			if (count < 0) {
				throw new IllegalArgumentException("count: " + count + " (expected: 0 or more)");
			}
		}

	}

	/** A declared exception with fields. */
	class Refused extends Exception {

		private static final long serialVersionUID = 1L;

		private final int code;

		private final transient List<Point> points;

		public Refused(String message, int code) {
			super(message);
			this.code = code;
			this.points = List.of();
		}

		public int code() {
			return this.code + this.points.size();
		}

	}

}
