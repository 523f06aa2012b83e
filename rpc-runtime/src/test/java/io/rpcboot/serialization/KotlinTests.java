package io.rpcboot.serialization;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import kotlin.Metadata;
import kotlin.Pair;
import kotlin.Triple;
import kotlin.UByte;
import kotlin.UInt;
import kotlin.ULong;
import kotlin.UShort;
import kotlin.Unit;
import kotlin.collections.IndexedValue;
import kotlin.coroutines.Continuation;
import kotlin.ranges.CharRange;
import kotlin.ranges.IntRange;
import kotlin.ranges.LongRange;
import kotlin.sequences.Sequence;
import kotlin.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Types of Kotlin's standard library, and classes as its compiler writes them. */
public class KotlinTests {

	private static final List<Serializer> SERIALIZERS = List.of(new ProtostuffSerializer(), new JacksonSerializer());

	/** Value that a method returns. */
	record Row(String method, Object value) {
	}

	private static Object echo(Serializer serializer, String method, Object value) {
		return SilentChangesTests.echo(SilentChangesTests.method(serializer, Service.class, method), value);
	}

	/** Returns a boxed value class, which Java cannot create. */
	private static <T> T box(Class<T> type, Class<?> data, Object value) throws ReflectiveOperationException {
		return type.cast(type.getMethod("box-impl", data).invoke(null, value));
	}

	static Stream<Row> values() throws ReflectiveOperationException {
		return Stream.of(new Row("pair", new Pair<>("a", 1L)), new Row("pair", new Pair<>(null, null)),
				new Row("pairs", Map.of("a", new Pair<>("a", new Pair<>(1, 2)))),
				new Row("pairSet", Set.of(new Pair<>("a", "b"))),
				new Row("triple", new Triple<>("a", 1, List.of(true))),
				new Row("indexed", List.of(new IndexedValue<>(0, "a"), new IndexedValue<>(1, "b"))),
				new Row("ints", new IntRange(1, 10)), new Row("ints", new IntRange(5, 1)),
				new Row("longs", new LongRange(Long.MIN_VALUE, Long.MAX_VALUE)),
				new Row("chars", new CharRange('a', 'z')), new Row("uints", List.of(box(UInt.class, int.class, -1))),
				new Row("ulongs", List.of(box(ULong.class, long.class, -1L))),
				new Row("ubytes", List.of(box(UByte.class, byte.class, (byte) -1))),
				new Row("ushorts", List.of(box(UShort.class, short.class, (short) -1))),
				new Row("instant", Instant.Companion.fromEpochSeconds(5, 7)),
				new Row("any", List.of(new IntRange(1, 2), box(UInt.class, int.class, 3))));
	}

	@ParameterizedTest
	@MethodSource("values")
	void valueOfStandardLibrary_isCarried(Row row) {
		for (Serializer each : SERIALIZERS) {
			Object arrived = echo(each, row.method(), row.value());
			assertThat(arrived).isEqualTo(row.value()).hasToString(row.value().toString());
		}
	}

	@Test
	void object_arrivesAsTheOneInstance() {
		for (Serializer each : SERIALIZERS) {
			assertThat(echo(each, "event", Cleared.INSTANCE)).isSameAs(Cleared.INSTANCE);
			assertThat(echo(each, "event", Renamed.INSTANCE)).isSameAs(Renamed.INSTANCE);
			assertThat((List<?>) echo(each, "events", List.of(Cleared.INSTANCE, new Added("a"), Cleared.INSTANCE)))
				.satisfiesExactly((first) -> assertThat(first).isSameAs(Cleared.INSTANCE),
						(second) -> assertThat(second).isEqualTo(new Added("a")),
						(third) -> assertThat(third).isSameAs(Cleared.INSTANCE));
			assertThat(echo(each, "cleared", Cleared.INSTANCE)).isSameAs(Cleared.INSTANCE);
			assertThat(echo(each, "unit", Unit.INSTANCE)).isSameAs(Unit.INSTANCE);
			assertThat(echo(each, "any", Cleared.INSTANCE)).isSameAs(Cleared.INSTANCE);
		}
	}

	@Test
	void fieldsThatArrive_doNotChangeTheOneInstance() {
		Renamed.INSTANCE.code = 3;
		for (Serializer each : SERIALIZERS) {
			MethodCodec codec = SilentChangesTests.method(each, Service.class, "event");
			OutputBuffer out = new OutputBuffer(new byte[64], 1 << 16);
			codec.serializeResult(Renamed.INSTANCE, out);
			Renamed.INSTANCE.code = 4;
			assertThat(codec.deserializeResult(out.array(), 0, out.length())).isSameAs(Renamed.INSTANCE);
			assertThat(Renamed.INSTANCE.code).isEqualTo(4);
			Renamed.INSTANCE.code = 3;
		}
	}

	@Test
	void classWithConstantOfItself_isNoObject_whenItHasFieldsOrInstances() {
		for (Serializer each : SERIALIZERS) {
			Level arrived = (Level) echo(each, "level", Level.of(7));
			assertThat(arrived).isNotSameAs(Level.INSTANCE);
			assertThat(arrived.value).isEqualTo(7);
		}
	}

	@Test
	void suspendFunction_isRefused_withItsWord() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> ServiceDescriptor.of(Suspending.class))
			.withMessage(Suspending.class.getName() + ".get is a suspend function, which cannot be called remotely")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"Declare 'fun get(...): CompletableFuture<List<Pair<String, Integer>>>' without suspend; callers await it by await() of kotlinx.coroutines."));
	}

	@Test
	void refusals_useWordsOfKotlin() {
		for (Serializer each : SERIALIZERS) {
			assertThatExceptionOfType(UnsupportedTypeException.class)
				.isThrownBy(() -> each.codec(ServiceDescriptor.of(Sequences.class)))
				.satisfies((ex) -> assertThat(ex.action()).startsWith("Declare java.util.List"));
			assertThatExceptionOfType(UnsupportedTypeException.class)
				.isThrownBy(() -> each.codec(ServiceDescriptor.of(Unnamed.class)))
				.satisfies((ex) -> assertThat(ex.action()).startsWith("Compile Kotlin with -java-parameters"));
		}
	}

	/** Service as Kotlin compiles it. */
	public interface Service {

		Pair<String, Long> pair();

		Map<String, Pair<String, Pair<Integer, Integer>>> pairs();

		Set<Pair<String, String>> pairSet();

		Triple<String, Integer, List<Boolean>> triple();

		List<IndexedValue<String>> indexed();

		IntRange ints();

		LongRange longs();

		CharRange chars();

		List<UInt> uints();

		List<ULong> ulongs();

		List<UByte> ubytes();

		List<UShort> ushorts();

		Instant instant();

		Object any();

		Event event();

		List<Event> events();

		Cleared cleared();

		Unit unit();

		Level level();

	}

	/** Sealed class with objects. */
	public abstract static sealed class Event permits Cleared, Renamed, Added {

		int code;

	}

	/** Object, which declares no fields. */
	public static final class Cleared extends Event {

		public static final Cleared INSTANCE = new Cleared();

		private Cleared() {
		}

	}

	/** Object with a field of its superclass that changes. */
	public static final class Renamed extends Event {

		public static final Renamed INSTANCE = new Renamed();

		private Renamed() {
		}

	}

	/** Class of many instances. */
	public static final class Added extends Event {

		private final String name;

		public Added(String name) {
			this.name = name;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Added added && added.name.equals(this.name);
		}

		@Override
		public int hashCode() {
			return this.name.hashCode();
		}

	}

	/** Class of many instances with a constant of itself. */
	public static final class Level {

		public static final Level INSTANCE = new Level();

		private int value;

		private Level() {
		}

		static Level of(int value) {
			Level level = new Level();
			level.value = value;
			return level;
		}

	}

	/** Interface with a suspend function. */
	public interface Suspending {

		Object get(String id, Continuation<? super List<Pair<String, Integer>>> completion);

	}

	/** Interface with a sequence. */
	public interface Sequences {

		Sequence<String> all();

	}

	/** Interface with a class of Kotlin whose constructor has other names. */
	public interface Unnamed {

		Nameless get();

	}

	/** Class of Kotlin without names of parameters. */
	@Metadata
	public static final class Nameless {

		private final String name;

		public Nameless(String p0) {
			this.name = p0;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
