package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;

import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests what collections and maps are besides their elements: carried or refused, never
 * lost.
 */
public class ContainerTests {

	@Test
	void customOrder_isRefused() {
		assertUnwritable("priorities", fill(new PriorityQueue<>(Comparator.comparing(Integer::bitCount))),
				"priorities(): result: sorted by java.util.Comparator$$Lambda");
		assertUnwritable("blockingPriorities",
				fill(new PriorityBlockingQueue<>(1, Comparator.comparing(Integer::bitCount))), "natural order");
		assertUnwritable("skipMaps",
				List.of(new ConcurrentSkipListMap<>(Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER))),
				"skipMaps(): result[0]: sorted by java.util.Collections$ReverseComparator2 "
						+ "(expected: the natural order or its reverse, because a comparator is code)");
		assertUnwritable("sets", List.of(new TreeSet<>(Comparator.comparing(Integer::bitCount))),
				"sets(): result[0]: sorted by");
	}

	@Test
	void reverseOrder_isWrittenAsMarker() {
		TreeSet<Integer> reversed = new TreeSet<>(Collections.reverseOrder());
		assertThat(Codecs.result(Codecs.method(Service.class, "set"), reversed)).containsExactly(0x0e, 2, 0x0e, 0);
		reversed.add(1);
		assertThat(Codecs.result(Codecs.method(Service.class, "set"), reversed)).containsExactly(0x0e, 2, 0x08, 1);
		assertUnreadable("set", "nothing behind the marker for reverse order", 0x0e, 2);
		assertUnreadable("set", "result[0]: marker 2", 0x0e, 2, 0x0e, 2);
		assertUnreadable("skipMap", "marker 5 (expected: 2 to 4", 0x0b, 0x0e, 5, 0x0c);
		assertUnreadable("set", "result[0]: marker 5", 0x0e, 5, 0x0e, 0);
	}

	/** What is polled first is written first, because a plain queue arrives. */
	@Test
	void priorityQueue_arrivesInPollingOrder() {
		Queue<Integer> polled = Codecs.echo(Codecs.method(Service.class, "queue"),
				fill(new PriorityQueue<>(Comparator.comparing((Integer each) -> -each))));
		assertThat(polled).containsExactly(5, 4, 3, 2, 1);
		assertThat(Codecs.<Queue<Integer>>echo(Codecs.method(Service.class, "blockingQueue"),
				fill(new PriorityBlockingQueue<>())))
			.containsExactly(1, 2, 3, 4, 5);
	}

	@Test
	void containerWithExtraState_isRefused() {
		assertUnwritable("boundedQueue", new LinkedBlockingQueue<>(10),
				"a queue of capacity 10 (expected: no capacity");
		Properties defaults = new Properties();
		defaults.setProperty("a", "b");
		assertUnwritable("properties", new Properties(defaults), "properties(): result: properties with defaults");
		Properties numbers = new Properties();
		numbers.put("a", 1);
		assertUnwritable("properties", numbers, "properties(): result{a}: java.lang.ClassCastException");
	}

	@Test
	void nullElement_isRefused_whenContainerHoldsNone() {
		assertUnreadable("queue", "expected", 0x0e, 7);
		assertUnreadable("blockingQueue",
				"result[1]: null, or a constant that this side does not know "
						+ "(expected: a value, because java.util.concurrent.BlockingQueue holds no null)",
				0x08, 1, 0x0e, 1);
		assertUnreadable("concurrentMap", "result{a}: the value is null", 0x0b, 0x0b, 0x0a, 1, 'a', 0x0c, 0x0c);
		assertUnreadable("concurrentMap", "result{}: the key is null", 0x0b, 0x0b, 0x10, 1, 0x0c, 0x0c);
	}

	@Test
	void equalSetElements_areRefused() {
		assertUnreadable("set", "result: 2 elements of which some are equal (expected: 2 different ones)", 0x08, 1,
				0x08, 1);
	}

	/** The copies of a list that copies on each write would be gigabytes. */
	@Test
	void copyOnWriteList_isCopiedOnce() {
		List<Integer> many = new CopyOnWriteArrayList<>(Collections.nCopies(200_000, 1));
		assertThat(Codecs.<List<Integer>>echo(Codecs.method(Service.class, "copied"), many)).isEqualTo(many);
	}

	/** A marker that only a sorted set has is no way around the check. */
	@Test
	void elementsWithEqualHash_areRefused_behindMarker() {
		Set<Point> points = new LinkedHashSet<>();
		for (int i = 0; i < 4096; i++) {
			points.add(new Point(i, -31 * i));
		}
		byte[] bytes = Codecs.result(Codecs.method(Service.class, "pointList"), new ArrayList<>(points));
		byte[] marked = new byte[bytes.length + 2];
		marked[0] = 0x0e;
		marked[1] = 2;
		System.arraycopy(bytes, 0, marked, 2, bytes.length);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.method(Service.class, "points").deserializeResult(marked, 0, marked.length))
			.withMessageContaining("pairs of equal hash codes");
	}

	private static <C extends Queue<Integer>> C fill(C queue) {
		queue.addAll(Arrays.asList(3, 5, 1, 2, 4));
		return queue;
	}

	private static void assertUnwritable(String method, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(Codecs.method(Service.class, method), value))
			.withMessageContaining(message);
	}

	private static void assertUnreadable(String method, String message, int... bytes) {
		byte[] array = new byte[bytes.length];
		for (int i = 0; i < bytes.length; i++) {
			array[i] = (byte) bytes[i];
		}
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.method(Service.class, method).deserializeResult(array, 0, array.length))
			.withMessageContaining(message);
	}

	public interface Service {

		PriorityQueue<Integer> priorities();

		PriorityBlockingQueue<Integer> blockingPriorities();

		List<ConcurrentSkipListMap<String, Integer>> skipMaps();

		ConcurrentSkipListMap<String, Integer> skipMap();

		List<TreeSet<Integer>> sets();

		TreeSet<Integer> set();

		Queue<Integer> queue();

		BlockingQueue<Integer> blockingQueue();

		LinkedBlockingQueue<Integer> boundedQueue();

		Properties properties();

		ConcurrentHashMap<String, Integer> concurrentMap();

		CopyOnWriteArrayList<Integer> copied();

		Set<Point> points();

		List<Point> pointList();

	}

}
