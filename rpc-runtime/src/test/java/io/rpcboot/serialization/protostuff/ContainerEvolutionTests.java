package io.rpcboot.serialization.protostuff;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcAlias;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractMatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Arrays, collections and holders whose type is another one at the writer.
 */
public class ContainerEvolutionTests {

	@Test
	void arrayElements_areConverted() {
		assertThat(read("ints", new int[] { 1, -1 })).isEqualTo(new long[] { 1, -1 });
		assertThat(read("longs", new long[] { 1, -1 })).isEqualTo(new short[] { 1, -1 });
		assertThat(read("boxes", new Integer[] { 1, 0 })).isEqualTo(new int[] { 1, 0 });
		assertThat(read("floats", new float[] { 1.5f })).isEqualTo(new Double[] { 1.5 });
		assertThat(read("grid", new int[][] { { 1 }, null, {} })).isEqualTo(new Long[][] { { 1L }, null, {} });
		assertUnreadable("longs", new long[] { 1, 70_000 }, "result[1]: number 70000");
		assertUnreadable("boxes", new Integer[] { 1, null }, "result[1]: null (expected: int)");
	}

	@Test
	void collection_isReadAsOtherType() {
		assertThat((Deque<?>) read("list", List.of(1, 2))).isExactlyInstanceOf(ArrayDeque.class)
			.extracting(Object::toString)
			.containsExactly("1", "2");
		assertUnreadable("list", Arrays.asList(1, null), "result[1]: null, or a constant");
		TreeSet<Integer> reversed = new TreeSet<>(Collections.reverseOrder());
		reversed.addAll(List.of(1, 2));
		assertThat((List<?>) read("sorted", reversed)).isEqualTo(List.of(2L, 1L));
		assertThat(((PriorityQueue<?>) read("deque", new ArrayDeque<>(List.of(3, 1)))).peek()).isEqualTo(1);
		assertThat(read("set", Set.of("a"))).isEqualTo(new CopyOnWriteArraySet<>(Set.of("a")));
		assertUnreadable("repeated", List.of("a", "a"), "2 elements of which some are equal");
	}

	@Test
	void map_isReadAsOtherType() {
		TreeMap<String, String> reversed = new TreeMap<>(Collections.reverseOrder());
		reversed.putAll(Map.of("a", "1", "b", "2"));
		Map<?, ?> read = (Map<?, ?>) read("map", reversed);
		assertThat(read).isExactlyInstanceOf(LinkedHashMap.class).isEqualTo(reversed);
		assertThat(read.keySet().toArray()).containsExactly("b", "a");
		Properties properties = new Properties();
		properties.setProperty("a", "b");
		assertThat(read("properties", properties)).isEqualTo(new ConcurrentHashMap<>(Map.of("a", "b")));
	}

	@Test
	void holder_keepsItsValue() {
		assertThat(read("optional", Optional.of(5))).isEqualTo(Optional.of(5L));
		assertThat(((AtomicReference<?>) read("reference", new AtomicReference<>(5))).get()).isEqualTo(5L);
		assertThat(read("references", new AtomicReferenceArray<>(new Integer[] { 5, null }))).hasToString("[5, null]");
	}

	/** Where null cannot be, an unknown constant is an error and never lost. */
	@Test
	void unknownConstant_isNullOrRefused() {
		assertThat(read("enums", EnumSet.of(NewColour.RED))).isEqualTo(EnumSet.of(OldColour.RED));
		assertUnreadable("enums", EnumSet.of(NewColour.RED, NewColour.PINK),
				"result[0]: null, or a constant that this side does not know (expected: a value, because "
						+ "java.util.EnumSet holds no null)");
		assertUnreadable("skipList", new ConcurrentSkipListSet<>(List.of(NewColour.PINK)), "result[0]: null, or");
		assertUnreadable("keys", new EnumMap<>(Map.of(NewColour.PINK, 1)), "result{}: the key is null, or a constant");
		assertUnreadable("values", new ConcurrentHashMap<>(Map.of("a", NewColour.PINK)),
				"result{a}: the value is null");
		assertThat(read("array", new NewColour[] { NewColour.PINK, NewColour.RED }))
			.isEqualTo(new OldColour[] { null, OldColour.RED });
		assertUnreadable("several", List.of(NewColour.PINK, NewColour.BLACK), "2 elements of which some are equal");
	}

	@Test
	void byteArray_isNotConvertible() {
		ContractMatch match = ContractMatch.of(Codecs.of(New.class).contract(), Codecs.of(Old.class).contract());
		int bytes = number(New.class, "bytes");
		assertThat(match.difference(bytes)).contains("byte[]").contains("java.lang.Byte[]");
		assertThat(match.serverMethod(number(New.class, "ints"))).isEqualTo(number(Old.class, "ints"));
	}

	private static Object read(String method, Object value) {
		byte[] bytes = Codecs.result(Codecs.method(New.class, method), value);
		MethodCodec reader = Codecs.of(Old.class)
			.translate(Codecs.of(New.class).contract())
			.method(number(Old.class, method), number(New.class, method));
		return reader.deserializeResult(bytes, 0, bytes.length);
	}

	private static void assertUnreadable(String method, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(method, value))
			.withMessageContaining(method + "(): result")
			.withMessageContaining(message);
	}

	private static int number(Class<?> service, String method) {
		return ServiceDescriptor.of(service)
			.methods()
			.stream()
			.filter((each) -> each.name().equals(method))
			.mapToInt(MethodDescriptor::number)
			.findFirst()
			.orElseThrow();
	}

	public enum NewColour {

		PINK, BLACK, RED

	}

	@RpcAlias("io.rpcboot.serialization.protostuff.ContainerEvolutionTests$NewColour")
	public enum OldColour {

		RED

	}

	public interface New {

		int[] ints();

		long[] longs();

		Integer[] boxes();

		float[] floats();

		int[][] grid();

		byte[] bytes();

		List<Integer> list();

		TreeSet<Integer> sorted();

		ArrayDeque<Integer> deque();

		Set<String> set();

		List<String> repeated();

		TreeMap<String, String> map();

		Properties properties();

		Optional<Integer> optional();

		AtomicReference<Integer> reference();

		AtomicReferenceArray<Integer> references();

		EnumSet<NewColour> enums();

		ConcurrentSkipListSet<NewColour> skipList();

		EnumMap<NewColour, Integer> keys();

		ConcurrentHashMap<String, NewColour> values();

		NewColour[] array();

		List<NewColour> several();

	}

	public interface Old {

		long[] ints();

		short[] longs();

		int[] boxes();

		Double[] floats();

		Long[][] grid();

		Byte[] bytes();

		ArrayDeque<Integer> list();

		List<Long> sorted();

		PriorityQueue<Integer> deque();

		CopyOnWriteArraySet<String> set();

		Set<String> repeated();

		Map<String, String> map();

		ConcurrentHashMap<String, String> properties();

		Optional<Long> optional();

		AtomicReference<Long> reference();

		AtomicReferenceArray<Long> references();

		EnumSet<OldColour> enums();

		ConcurrentSkipListSet<OldColour> skipList();

		EnumMap<OldColour, Integer> keys();

		ConcurrentHashMap<String, OldColour> values();

		OldColour[] array();

		Set<OldColour> several();

	}

}
