package io.rpcboot.internal.serialization.protostuff.wire;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.protostuff.LinkedBuffer;
import io.protostuff.ProtostuffIOUtil;
import io.protostuff.runtime.RuntimeSchema;
import io.rpcboot.serialization.protostuff.Codecs;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;
import io.rpcboot.workload.UserServiceImpl;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Arrays and collections of protostuff-runtime are the same bytes as ours, and nothing of
 * ours is larger.
 */
public class RuntimeArraysTests {

	@Test
	void encodedBean_matchesProtostuffRuntime() {
		assertThat(body("bean", bean())).isEqualTo(written(bean()));
	}

	@Test
	void protostuffRuntime_readsOurBytes() {
		byte[] body = body("bean", bean());
		Bean read = new Bean();
		ProtostuffIOUtil.mergeFrom(body, read, RuntimeSchema.getSchema(Bean.class));
		assertSame(read);
	}

	@Test
	void codec_readsBytesOfProtostuffRuntime() {
		byte[] body = written(bean());
		byte[] message = new byte[body.length + 2];
		message[0] = 1 << 3 | 3;
		System.arraycopy(body, 0, message, 1, body.length);
		message[message.length - 1] = 1 << 3 | 4;
		assertSame((Bean) Codecs.method(Service.class, "bean").deserializeResult(message, 0, message.length));
	}

	@Test
	void encodedObjects_areNotLargerThanProtostuffRuntime() {
		User user = new UserServiceImpl().getUser(7);
		Page<User> page = new UserServiceImpl().listUser(3);
		assertThat(body("user", user)).hasSizeLessThanOrEqualTo(written(user).length);
		assertThat(body("page", page)).hasSizeLessThanOrEqualTo(written(page).length);
	}

	private static void assertSame(Bean read) {
		assertThat(read).usingRecursiveComparison().isEqualTo(bean());
		assertThat(read.queue).isExactlyInstanceOf(LinkedList.class);
	}

	/** Without the group that holds the result. */
	private static byte[] body(String method, Object value) {
		byte[] message = Codecs.result(Codecs.method(Service.class, method), value);
		return Arrays.copyOfRange(message, 1, message.length - 1);
	}

	@SuppressWarnings("unchecked")
	private static <T> byte[] written(T value) {
		return ProtostuffIOUtil.toByteArray(value, RuntimeSchema.getSchema((Class<T>) value.getClass()),
				LinkedBuffer.allocate());
	}

	static Bean bean() {
		Bean bean = new Bean();
		bean.booleans = new boolean[] { true, false };
		bean.shorts = new short[] { 1, -1 };
		bean.chars = new char[] { 'a', '中' };
		bean.ints = new int[] { 0, -1, 300 };
		bean.longs = new long[] { 1L << 40, -1 };
		bean.floats = new float[] { 1.5f };
		bean.doubles = new double[] { -2.5 };
		bean.boxes = new Integer[] { 1, -1 };
		bean.texts = new String[] { "a", "", "中" };
		bean.colours = new Colour[] { Colour.BLUE, Colour.RED };
		bean.blocks = new byte[][] { { 1 }, {} };
		bean.items = new Item[] { item("x"), item("y") };
		bean.none = new int[0];
		bean.queue = new LinkedList<>(List.of("q"));
		bean.deque = new ArrayDeque<>(List.of("d"));
		bean.vector = new Vector<>(List.of(1, 2));
		bean.copied = new CopyOnWriteArrayList<>(List.of(item("c")));
		bean.sorted = new TreeSet<>(List.of("b", "a"));
		bean.enums = EnumSet.of(Colour.RED, Colour.BLUE);
		bean.byColour = new EnumMap<>(Map.of(Colour.GREEN, "g"));
		bean.concurrent = new ConcurrentHashMap<>(Map.of("k", item("v")));
		bean.tree = new TreeMap<>(Map.of("k", 1));
		return bean;
	}

	private static Item item(String name) {
		Item item = new Item();
		item.name = name;
		return item;
	}

	public interface Service {

		Bean bean();

		User user();

		Page<User> page();

	}

	public static class Item {

		String name;

	}

	public static class Bean {

		boolean[] booleans;

		short[] shorts;

		char[] chars;

		int[] ints;

		long[] longs;

		float[] floats;

		double[] doubles;

		Integer[] boxes;

		String[] texts;

		Colour[] colours;

		byte[][] blocks;

		Item[] items;

		int[] none;

		int[] absent;

		Queue<String> queue;

		ArrayDeque<String> deque;

		Vector<Integer> vector;

		CopyOnWriteArrayList<Item> copied;

		TreeSet<String> sorted;

		EnumSet<Colour> enums;

		EnumMap<Colour, String> byColour;

		ConcurrentHashMap<String, Item> concurrent;

		TreeMap<String, Integer> tree;

	}

}
