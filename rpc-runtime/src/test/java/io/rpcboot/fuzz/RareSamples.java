package io.rpcboot.fuzz;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;

import io.rpcboot.fuzz.KitchenSink.Circle;
import io.rpcboot.fuzz.KitchenSink.Colour;
import io.rpcboot.fuzz.KitchenSink.Filled;
import io.rpcboot.fuzz.KitchenSink.Kinds;
import io.rpcboot.fuzz.KitchenSink.Names;
import io.rpcboot.fuzz.KitchenSink.Point;
import io.rpcboot.fuzz.KitchenSink.Shape;
import io.rpcboot.fuzz.KitchenSink.Side;
import io.rpcboot.fuzz.KitchenSink.Square;

/** Samples of what few use. */
final class RareSamples {

	private RareSamples() {
	}

	@SuppressWarnings("unchecked")
	static KitchenSink.Arrays arrays() {
		return new KitchenSink.Arrays(new boolean[] { true, false }, new short[] { 1, -2 }, new char[] { 'x' },
				new int[] { 1, 2, 300 }, new long[] { -1L }, new float[] { 1.5f }, new double[] { -2.5 },
				new int[][] { { 1, 2 }, null, {} }, new String[] { "a", null }, new Point[][] { { new Point(1, 2) } },
				(List<Integer>[]) new List<?>[] { List.of(1), null }, new Object[] { "text", 5, null, List.of(1, "b") },
				new Colour[] { Colour.RED });
	}

	static Names names() {
		try {
			return new Names(Locale.GERMANY, Currency.getInstance("EUR"), StandardCharsets.UTF_8,
					TimeZone.getTimeZone("Europe/Berlin"), URI.create("a:b"), URI.create("http://host/path").toURL(),
					InetAddress.getByAddress("name", new byte[] { 127, 0, 0, 1 }), BitSet.valueOf(new long[] { 5 }),
					ByteBuffer.wrap(new byte[3]), OptionalInt.of(5), OptionalLong.empty(), OptionalDouble.of(1.5),
					new AtomicInteger(7), new AtomicReference<>("held"),
					new AtomicStampedReference<>(new Point(1, 2), 3),
					new AtomicReferenceArray<>(new String[] { "a", null }), new Timestamp(5));
		}
		catch (UnknownHostException | MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static Kinds kinds() {
		Properties properties = new Properties();
		properties.setProperty("key", "value");
		TreeMap<String, Integer> reversed = new TreeMap<>(Collections.reverseOrder());
		reversed.putAll(Map.of("a", 1, "b", 2));
		return new Kinds(new ArrayDeque<>(List.of(1, 2)), new PriorityQueue<>(List.of("b", "a")),
				new Vector<>(List.of(1L)), new CopyOnWriteArraySet<>(List.of(1, 2)), EnumSet.of(Colour.RED),
				new ConcurrentSkipListSet<>(List.of(1, 2)), new LinkedBlockingQueue<>(List.of("x")),
				new ConcurrentHashMap<>(Map.of("k", 1)), new EnumMap<>(Map.of(Colour.RED, "red")),
				new Hashtable<>(Map.of("k", "v")), properties, new IdentityHashMap<>(Map.of("k", new Point(1, 2))),
				new WeakHashMap<>(), new ConcurrentSkipListMap<>(Map.of(1, "one")), reversed, filled());
	}

	private static Filled filled() {
		Filled filled = new Filled();
		filled.list.addAll(List.of(1, 2));
		filled.set.add(new Point(3, 4));
		filled.map.put("within", new Filled());
		return filled;
	}

	static List<Shape> shapes() {
		return new ArrayList<>(Arrays.asList(new Circle(1.5), new Square(2, new Square(3, Side.RIGHT)), null));
	}

	static Map<String, Object> values() {
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("text", "a");
		values.put("number", new BigDecimal("1.5"));
		values.put("list", new ArrayList<>(Arrays.asList(1, "b", null)));
		values.put("map", new LinkedHashMap<>(Map.of("k", LocalDate.EPOCH)));
		values.put("point", new Point(1, 2));
		values.put("shape", new Circle(2));
		values.put("colour", Colour.GREEN);
		values.put("array", new int[] { 1, 2 });
		values.put("none", null);
		TreeSet<String> anyCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		anyCase.addAll(List.of("ID", "name"));
		values.put("anyCase", anyCase);
		return values;
	}

}
