package io.rpcboot.serialization;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Entities whose hash code is one constant, as literature on JPA recommends: the
 * comparisons of a message are bounded, not those of a set on average.
 */
public class EqualHashCodesTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	static List<Serializer> serializers() {
		return SilentChangesTests.serializers().toList();
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void hundredsOfEqualHashCodes_areRead(Serializer serializer) {
		assertThat(read(serializer, 1000, 1, 1000)).isEqualTo(1000);
		assertThat(read(serializer, 2000, 1, 20)).isEqualTo(2000);
		assertThat(read(serializer, 1000, 4, 20)).isEqualTo(1000);
		assertThat(read(serializer, 100, 200, 20)).isEqualTo(100);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void thousandsOfEqualHashCodes_areRefusedQuickly(Serializer serializer) {
		assertRefused(serializer, 100_000, 1, 20);
		assertRefused(serializer, 2200, 1, 20);
		assertRefused(serializer, 1000, 5, 20);
		assertRefused(serializer, 2000, 1, 1000);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void largeCollidingKeys_areRefused_amongSmallKeys(Serializer serializer) {
		assertThat(echo(serializer, "weighted", weighted(100))).isEqualTo(weighted(100));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> echo(serializer, "weighted", weighted(1000)))
			.withMessageContaining("21000 keys with 499500 pairs of equal hash codes in a java.util.Set, which take");
	}

	/** Some of 2,000 characters and one hash code among many small ones. */
	private static Set<Weighted> weighted(int large) {
		String text = "x".repeat(2000);
		return Stream
			.concat(IntStream.range(0, large).mapToObj((i) -> new Weighted(i, 0, text)),
					IntStream.range(1, 20_001).mapToObj((i) -> new Weighted(i, i, "")))
			.collect(Collectors.toSet());
	}

	/** What compares each with each, or looks at each hash code, is counted together. */
	@ParameterizedTest
	@MethodSource("serializers")
	void comparisons_areCounted_acrossContainers(Serializer serializer) {
		Set<Long> set = new CopyOnWriteArraySet<>(LongStream.range(0, 5000).boxed().toList());
		Map<Integer, Integer> table = new Hashtable<>();
		IntStream.range(0, 20_000).forEach((i) -> table.put(i, i));
		assertThat(echo(serializer, "copied", List.of(set))).isEqualTo(List.of(set));
		assertThat(echo(serializer, "tables", List.of(table, table))).isEqualTo(List.of(table, table));
		assertTooMany(serializer, "copied", Collections.nCopies(20, set), "5000 keys with 0 pairs");
		assertTooMany(serializer, "tables", List.of(table, table, table), "20000 keys with 0 pairs");
	}

	private static void assertTooMany(Serializer serializer, String method, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> echo(serializer, method, value))
			.withMessageContaining(message)
			.withMessageEndingWith("which take too long to compare (expected: few)");
	}

	private static Object echo(Serializer serializer, String method, Object value) {
		return SilentChangesTests.echo(SilentChangesTests.method(serializer, Service.class, method), value);
	}

	/** A HashMap cannot order them, although their declared class is comparable. */
	@ParameterizedTest
	@MethodSource("serializers")
	void buffersWithEqualHash_areRefused(Serializer serializer) {
		Set<ByteBuffer> buffers = IntStream.range(0, 4096)
			.mapToObj((i) -> ByteBuffer.wrap(text(i).getBytes(StandardCharsets.UTF_8)))
			.collect(Collectors.toSet());
		assertThat(buffers.stream().map(Object::hashCode).distinct()).hasSize(1);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> echo(serializer, "buffers", buffers))
			.withMessageContaining("4096 keys with 8386560 pairs of equal hash codes");
	}

	/** Of one hash code when they are read backwards, as that of a buffer. */
	private static String text(int bits) {
		return IntStream.range(0, 12).mapToObj((i) -> (bits >> i & 1) == 0 ? "aA" : "BB").collect(Collectors.joining());
	}

	private static void assertRefused(Serializer serializer, int count, int sets, int length) {
		assertTimeoutPreemptively(SOON,
				() -> assertThatExceptionOfType(SerializationException.class)
					.isThrownBy(() -> read(serializer, count, sets, length))
					.withMessageContaining("pairs of equal hash codes"));
	}

	/** The size of the last of so many sets in one message. */
	private static int read(Serializer serializer, int count, int sets, int length) {
		String text = "x".repeat(length);
		Set<Entity> entities = Collections.newSetFromMap(new IdentityHashMap<>());
		IntStream.range(0, count).forEach((i) -> entities.add(new Entity(i, text)));
		MethodCodec codec = SilentChangesTests.method(serializer, Service.class, "entities");
		List<?> read = (List<?>) SilentChangesTests.echo(codec, Collections.nCopies(sets, entities));
		return ((Set<?>) read.get(sets - 1)).size();
	}

	/** Sets of entities and of values. */
	public interface Service {

		List<Set<Entity>> entities();

		Set<ByteBuffer> buffers();

		Set<Weighted> weighted();

		List<CopyOnWriteArraySet<Long>> copied();

		List<Hashtable<Integer, Integer>> tables();

	}

	/** An entity. */
	public static class Entity {

		private final long id;

		private final String text;

		public Entity(long id, String text) {
			this.id = id;
			this.text = text;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Entity that && that.id == this.id && that.text.equals(this.text);
		}

		@Override
		public int hashCode() {
			return Entity.class.hashCode();
		}

	}

	/** A key that says its hash code. */
	public record Weighted(int id, int hash, String text) {

		@Override
		public boolean equals(Object other) {
			return other instanceof Weighted that && that.id == this.id && that.text.equals(this.text);
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
