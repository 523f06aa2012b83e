package io.rpcboot.serialization;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.fuzz.Bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Final fields that keep the collection or map of a constructor: it is filled, or the
 * message refused; the field is never written.
 */
public class FinalContainerTests {

	static List<Serializer> serializers() {
		return SilentChangesTests.serializers().toList();
	}

	@SuppressWarnings("unchecked")
	private static <T> T echo(Serializer serializer, String method, T value) {
		return (T) SilentChangesTests.echo(SilentChangesTests.method(serializer, Service.class, method), value);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void finalContainer_isFilled(Serializer serializer) {
		Kinds kinds = new Kinds();
		kinds.list.addAll(Arrays.asList("a", null));
		kinds.copied.add(1);
		kinds.synchronised.add(2L);
		kinds.set.add("s");
		kinds.sorted.addAll(List.of(3, 1));
		kinds.units.add(TimeUnit.DAYS);
		kinds.queue.add("q");
		kinds.map.put("k", List.of(1));
		kinds.tree.put("t", 5);
		kinds.byUnit.put(TimeUnit.HOURS, "h");
		Kinds read = echo(serializer, "kinds", kinds);
		assertThat(read).usingRecursiveComparison().isEqualTo(kinds);
		assertThat(read.queue).hasToString("[q]").isExactlyInstanceOf(ArrayDeque.class);
		assertThat(read.map).isExactlyInstanceOf(ConcurrentHashMap.class);
	}

	/** What the constructor put there is what the writer may have removed. */
	@ParameterizedTest
	@MethodSource("serializers")
	void initialContent_isReplaced(Serializer serializer) {
		Defaults defaults = new Defaults("id");
		assertThat(defaults.list).containsExactly("default");
		defaults.list.clear();
		defaults.map.put("default", 2);
		Defaults read = echo(serializer, "defaults", defaults);
		assertThat(read.id).isEqualTo("id");
		assertThat(read.list).isEmpty();
		assertThat(read.map).containsOnly(Map.entry("default", 2));
		assertThat(echo(serializer, "parent", Parent.of(new Parent())).children).hasSize(1);
	}

	/** A constructor that takes the list is preferred. */
	@ParameterizedTest
	@MethodSource("serializers")
	void constructorParameter_isPreferred(Serializer serializer) {
		Taken read = echo(serializer, "taken", new Taken(List.of("a")));
		assertThat(read.list).isUnmodifiable().containsExactly("a");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void unfillableContainer_isRefused(Serializer serializer) {
		assertRefused(serializer, List.of(), "java.util.ImmutableCollections$ListN");
		assertRefused(serializer, Collections.emptyList(), "java.util.Collections$EmptyList");
		assertRefused(serializer, null, "left null");
		assertRefused(serializer, new OwnList(), OwnList.class.getName());
		Held.made = null;
		byte[] none = write(serializer, "held", new Held());
		Held.made = new ArrayList<>();
		assertUnreadable(serializer, "held", none, "null for a final field");
	}

	/** They would compare what nobody counted, however the keys were chosen. */
	@ParameterizedTest
	@MethodSource("serializers")
	void containerWithUncountedComparisons_isRefused(Serializer serializer) {
		assertRefused(serializer, new HashSet<>(), "java.util.HashSet");
		assertRefused(serializer, new CopyOnWriteArraySet<>(), "java.util.concurrent.CopyOnWriteArraySet");
		for (Map<String, String> each : List.of(new Hashtable<String, String>(), new WeakHashMap<String, String>(),
				new IdentityHashMap<String, String>(),
				Collections.synchronizedMap(new WeakHashMap<String, String>()))) {
			HeldMap.made = new HashMap<>(Map.of("k", "v"));
			byte[] bytes = write(serializer, "heldMap", new HeldMap());
			HeldMap.made = each;
			assertUnreadable(serializer, "heldMap", bytes, each.getClass().getName());
		}
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void elements_areRefused_whenEqualForTargetContainer(Serializer serializer) {
		HeldMap.made = new HashMap<>(Map.of("k", "v", "K", "w"));
		byte[] bytes = write(serializer, "heldMap", new HeldMap());
		HeldMap.made = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		assertUnreadable(serializer, "heldMap", bytes, "2 elements of which a java.util.TreeMap keeps 1");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void filledContainer_isChargedToReadBudget(Serializer serializer) {
		HeldMap.made = new HashMap<>();
		for (int i = 0; i < 200_000; i++) {
			HeldMap.made.put(Integer.toString(i, 36), "");
		}
		byte[] bytes = write(serializer, "heldMap", new HeldMap());
		HeldMap.made = new ConcurrentHashMap<>();
		MethodCodec codec = SilentChangesTests.method(serializer, Service.class, "heldMap");
		Bounds.check(bytes.length, () -> {
			try {
				codec.deserializeResult(bytes, 0, bytes.length);
			}
			catch (SerializationException ex) {
				assertThat(ex).hasMessageContaining("its objects take more than");
			}
		});
	}

	private static byte[] write(Serializer serializer, String method, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 24);
		SilentChangesTests.method(serializer, Service.class, method).serializeResult(value, out);
		return out.toByteArray();
	}

	private static void assertRefused(Serializer serializer, Collection<String> made, String message) {
		Held.made = new ArrayList<>(List.of("a"));
		byte[] bytes = write(serializer, "held", new Held());
		Held.made = made;
		assertUnreadable(serializer, "held", bytes, message);
	}

	private static void assertUnreadable(Serializer serializer, String method, byte[] bytes, String message) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> SilentChangesTests.method(serializer, Service.class, method)
				.deserializeResult(bytes, 0, bytes.length))
			.withMessageContaining(method + "(): result.container: ")
			.withMessageContaining(message);
	}

	/** Classes with final containers. */
	public interface Service {

		Kinds kinds();

		Defaults defaults();

		Parent parent();

		Taken taken();

		Held held();

		HeldMap heldMap();

	}

	/** As entities are often written. */
	public static class Kinds {

		private final List<String> list = new ArrayList<>();

		private final List<Integer> copied = new CopyOnWriteArrayList<>();

		private final List<Long> synchronised = Collections.synchronizedList(new ArrayList<>());

		private final Set<String> set = new HashSet<>();

		private final SortedSet<Integer> sorted = new TreeSet<>();

		private final Set<TimeUnit> units = EnumSet.noneOf(TimeUnit.class);

		private final Queue<String> queue = new ArrayDeque<>();

		private final Map<String, List<Integer>> map = new ConcurrentHashMap<>();

		private final Map<String, Integer> tree = new TreeMap<>();

		private final Map<TimeUnit, String> byUnit = new EnumMap<>(TimeUnit.class);

	}

	/** What its constructor takes, and what it makes. */
	public static class Defaults {

		private final String id;

		private final List<String> list = new ArrayList<>(List.of("default"));

		private final Map<String, Integer> map = new HashMap<>(Map.of("default", 1, "more", 2));

		public Defaults(String id) {
			this.id = id;
			this.map.remove("more");
		}

	}

	/** Holds its own kind. */
	public static class Parent {

		private final List<Parent> children = new ArrayList<>();

		static Parent of(Parent child) {
			Parent parent = new Parent();
			parent.children.add(child);
			return parent;
		}

	}

	/** A list that a constructor takes, too. */
	public static class Taken {

		private final List<String> list;

		public Taken() {
			this.list = new ArrayList<>();
		}

		public Taken(List<String> list) {
			this.list = List.copyOf(list);
		}

	}

	/** What its constructor is told to make. */
	public static class Held {

		private static Collection<String> made;

		private final Collection<String> container = made;

	}

	/** What its constructor is told to make. */
	public static class HeldMap {

		private static Map<String, String> made;

		private final Map<String, String> container = made;

	}

	/** A list of somebody else. */
	private static final class OwnList extends ArrayList<String> {

		private static final long serialVersionUID = 1L;

	}

}
