package io.rpcboot.internal.serialization.protostuff.wire;

import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.protostuff.Codecs;
import io.rpcboot.serialization.zoo.Zoo;
import io.rpcboot.serialization.zoo.ZooTypes.Animal;
import io.rpcboot.serialization.zoo.ZooTypes.Dog;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.serialization.zoo.ZooTypes.Tree;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the values that a writer refuses, because it would lose data. */
public class WriterTests {

	@Test
	void subclassInstance_isRejected() {
		MethodCodec codec = Codecs.method(Service.class, "animals");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(codec, List.of(new Animal(), new Dog())))
			.withMessageContaining("WriterTests$Service.animals(): result[1]: ")
			.withMessageContaining("ZooTypes$Dog where io.rpcboot.serialization.zoo.ZooTypes$Animal is declared");
	}

	@Test
	void anonymousSubclassInstance_isRejected_withFields() {
		MethodCodec codec = Codecs.method(Service.class, "animals");
		Animal anonymous = new Animal() {

			private int legs = 4;

			@Override
			public String toString() {
				return "legs " + this.legs;
			}

		};
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(codec, List.of(anonymous)))
			.withMessageContaining("WriterTests$1 where ");
	}

	@Test
	void cycle_isRejected_withItsPath() {
		MethodCodec codec = Codecs.method(Zoo.class, "tree");
		Tree root = Tree.of("root");
		Tree child = Tree.of("child");
		root.add(child);
		child.add(root);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, root))
			.withMessageContaining("result.children[0].children[0]")
			.withMessageEndingWith(
					"a cycle: the %s leads back to itself (expected: a tree, in which what is shared becomes copies)",
					Tree.class.getName());
	}

	@Test
	void cycles_areRejectedThroughFieldsListsAndMaps() {
		MethodCodec codec = Codecs.method(Service.class, "node");
		Node self = new Node();
		self.next = self;
		assertCycle(codec, self, "result.next.next", Node.class);
		Node list = new Node();
		list.held = new ArrayList<>(List.of(list));
		assertCycle(codec, list, "result.held[0].held[0]", Node.class);
		Node map = new Node();
		map.held = new LinkedHashMap<>(Map.of("back", new ArrayList<>(List.of(map))));
		assertCycle(codec, map, "result.held{back}[0].held{back}[0]", Node.class);
		Node holdsItsOwnList = new Node();
		List<Object> own = new ArrayList<>();
		own.add(own);
		holdsItsOwnList.held = own;
		assertCycle(codec, holdsItsOwnList, "result.held[0][0]", ArrayList.class);
	}

	private static void assertCycle(MethodCodec codec, Object value, String path, Class<?> type) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, value))
			.withMessageContaining(path)
			.withMessageContaining("a cycle: the %s leads back to itself", type.getName());
	}

	@Test
	void sharedReferences_areCopied() {
		MethodCodec codec = Codecs.method(Service.class, "node");
		Node shared = new Node();
		Node holder = new Node();
		holder.next = shared;
		holder.held = List.of(shared, shared);
		Node copy = Codecs.echo(codec, holder);
		assertThat(copy.next).isNotNull();
		assertThat(copy.held).asInstanceOf(InstanceOfAssertFactories.list(Object.class))
			.hasSize(2)
			.doesNotHaveDuplicates()
			.doesNotContain(copy.next);
	}

	@Test
	void nesting_isLimitedTo64Levels() {
		MethodCodec codec = Codecs.method(Zoo.class, "tree");
		Tree deepest = Tree.of("leaf");
		for (int i = 1; i < 64; i++) {
			deepest = Tree.of("n" + i, deepest);
		}
		assertThat(Codecs.echo(codec, deepest)).isEqualTo(deepest);
		Tree deeper = Tree.of("one more", deepest);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, deeper))
			.withMessageEndingWith("nested deeper than 64 levels");
	}

	@Test
	void comparator_isRejected_inSortedCollections() {
		TreeSet<Integer> set = new TreeSet<>(Comparator.comparing(Integer::bitCount));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(Codecs.method(Zoo.class, "sortedSet"), set))
			.withMessageContaining("sortedSet(java.util.SortedSet): result: sorted by java.util.Comparator$$Lambda");
		TreeMap<String, String> map = new TreeMap<>(Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(Codecs.method(Zoo.class, "treeMap"), map))
			.withMessageContaining("natural order");
	}

	@Test
	void comparator_determinesOrder_inPlainSet() {
		TreeSet<String> set = new TreeSet<>(Comparator.reverseOrder());
		set.addAll(List.of("a", "c", "b"));
		assertThat(Codecs.echo(Codecs.method(Zoo.class, "set"), (Set<String>) set)).containsExactly("c", "b", "a");
	}

	@Test
	void timestamp_arrivesAsDate_whenDateIsDeclared() {
		MethodCodec codec = Codecs.method(Zoo.class, "date");
		Date timestamp = new Timestamp(5);
		assertThat(Codecs.result(codec, timestamp)).isEqualTo(Codecs.result(codec, new Date(5)));
		assertThat(Codecs.echo(codec, timestamp)).isExactlyInstanceOf(Date.class).hasTime(5);
	}

	@Test
	@SuppressWarnings({ "unchecked", "rawtypes" })
	void wrongElementType_isRejected_withItsIndex() {
		MethodCodec codec = Codecs.method(Zoo.class, "strings");
		List polluted = new ArrayList<>(List.of("a", 1));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, polluted))
			.withMessageContaining("result[1]: java.lang.ClassCastException")
			.withCauseInstanceOf(ClassCastException.class);
	}

	@Test
	void failureInMap_namesKey() {
		MethodCodec codec = Codecs.method(Service.class, "byName");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.result(codec, Map.of("rex", new Dog())))
			.withMessageContaining("result{rex}: ");
	}

	@Test
	void failingCollection_isReportedAsSerializationException() {
		MethodCodec codec = Codecs.method(Zoo.class, "strings");
		List<String> failing = new LinkedList<>(List.of("a", "b")) {

			private static final long serialVersionUID = 1L;

			@Override
			public Iterator<String> iterator() {
				throw new ConcurrentModificationException();
			}

		};
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, failing))
			.withCauseInstanceOf(ConcurrentModificationException.class);
	}

	@Test
	void wrongArgumentCount_isRejected() {
		MethodCodec codec = Codecs.method(Zoo.class, "point");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.arguments(codec, new Point(1, 2), 3))
			.withMessageContaining("point(io.rpcboot.serialization.zoo.ZooTypes$Point): arguments")
			.withMessageEndingWith("2 values (expected: 1)");
	}

	public interface Service {

		List<Animal> animals();

		Map<String, Animal> byName();

		Node node();

	}

	public static class Node {

		Node next;

		Object held;

	}

}
