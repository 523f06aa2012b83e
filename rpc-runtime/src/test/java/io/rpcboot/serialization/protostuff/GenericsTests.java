package io.rpcboot.serialization.protostuff;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.zoo.ZooTypes;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Type variables are resolved through classes and interfaces.
 */
public class GenericsTests {

	@Test
	void interface_fixesTypeVariableOfItsBase() {
		assertThat(Codecs.of(PointService.class).contract().text()).isEqualTo("""
				protostuff/1
				method all() java.util.List<%1$s$Point>
				method find(%1$s$Pair<java.lang.Long,%1$s$Point>) java.util.Map<java.lang.Long,%1$s$Point>
				method get(java.lang.Long) %1$s$Point
				method later(java.lang.Long) %1$s$Point
				method stage() void
				record %1$s$Pair<java.lang.Long,%1$s$Point>
				  1 first java.lang.Long
				  2 second %1$s$Point
				record %1$s$Point
				  1 x int
				  2 y int
				""".formatted(ZooTypes.class.getName()));
	}

	@Test
	void genericClass_roundTrips_withDifferentArguments() {
		MethodCodec codec = Codecs.method(TwoPairs.class, "pairs");
		Pair<Pair<String, Integer>, Pair<Point, List<Point>>> value = new Pair<>(new Pair<>("a", 1),
				new Pair<>(new Point(1, 2), List.of(new Point(3, 4))));
		assertThat(Codecs.echo(codec, value)).isEqualTo(value);
	}

	@Test
	void boundedWildcard_isReadAsItsBound() {
		MethodCodec codec = Codecs.method(TwoPairs.class, "bounded");
		assertThat(Codecs.echo(codec, List.of(new Point(1, 2)))).containsExactly(new Point(1, 2));
	}

	@Test
	void methodTypeVariable_isReadAsItsBound() {
		assertThat(Codecs.of(Variables.class).contract().text()).startsWith("""
				protostuff/1
				method box(%1$s$Box<java.lang.Comparable,java.lang.Comparable>) void
				method echo(java.lang.Object) java.lang.Object
				method max(java.util.List<java.lang.Comparable>) java.lang.Comparable
				method points(java.util.List<%2$s$Point>) %2$s$Point
				record %1$s$Box<java.lang.Comparable,java.lang.Comparable>
				  1 value java.lang.Comparable
				  2 other java.lang.Comparable
				""".formatted(GenericsTests.class.getName(), ZooTypes.class.getName()));
		assertThat(Codecs.echo(Codecs.method(Variables.class, "max"), 5L)).isEqualTo(5L);
	}

	@Test
	void arraysOfTypeVariables_areResolved() {
		assertThat(Codecs.of(ArrayService.class).contract().text()).contains("""
				record %1$s$Arrays<%2$s$Point>
				  1 plain %2$s$Point[]
				  2 lists java.util.List<%2$s$Point>[]
				""".formatted(GenericsTests.class.getName(), ZooTypes.class.getName()));
		@SuppressWarnings({ "unchecked", "rawtypes" })
		List<Point>[] lists = new List[] { List.of(new Point(1, 2)), null };
		Arrays<Point> copy = Codecs.echo(Codecs.method(ArrayService.class, "arrays"),
				new Arrays<>(new Point[] { new Point(3, 4) }, lists));
		assertThat(copy.plain()).containsExactly(new Point(3, 4));
		assertThat(copy.lists()).containsExactly(lists);
	}

	@Test
	void futureResult_isCarriedAsItsValue() {
		MethodCodec codec = Codecs.method(PointService.class, "later");
		assertThat(Codecs.echo(codec, new Point(1, 2))).isEqualTo(new Point(1, 2));
		MethodCodec nothing = Codecs.method(PointService.class, "stage");
		assertThat(Codecs.result(nothing, null)).isEmpty();
	}

	public interface Base<K, V> {

		V get(K key);

		CompletableFuture<V> later(K key);

		List<V> all();

		Map<K, V> find(Pair<K, V> example);

		CompletionStage<Void> stage();

	}

	public interface Middle<T> extends Base<Long, T> {

	}

	public interface PointService extends Middle<Point> {

	}

	public interface TwoPairs {

		Pair<Pair<String, Integer>, Pair<Point, List<Point>>> pairs();

		List<? extends Point> bounded();

	}

	public record Box<T extends Comparable<T>, S extends T>(T value, S other) {

	}

	public interface Variables {

		<T extends Comparable<T>> T max(List<? extends T> values);

		<P extends Point> P points(List<P> values);

		<T> T echo(T value);

		void box(Box<?, ?> box);

	}

	public record Arrays<T>(T[] plain, List<T>[] lists) {

	}

	public interface ArrayService {

		Arrays<Point> arrays();

	}

}
