package io.rpcboot.security;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import org.junit.jupiter.api.Test;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.fuzz.KitchenSink.Colour;
import io.rpcboot.fuzz.KitchenSink.Containers;
import io.rpcboot.fuzz.KitchenSink.Point;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Keys that were chosen to have equal hash codes. */
public class HashFloodTests {

	/** Far more than may have equal hash codes. */
	private static final int MANY = 5000;

	private static final int TIMES = 4;

	/**
	 * Allowed factor of the time for {@value #TIMES} times the keys; 16 if each is
	 * compared with each.
	 */
	private static final int MOST_GROWTH = 10;

	private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Sink sink = new Sink();

	/** 31 * x + y + (y >>> 32) is always 0. */
	private static Wire point(int i) {
		return new Wire().number(1, i).number(2, -31L * i & 0xffffffffL);
	}

	@Test
	void recordsWithEqualHash_areRefused() {
		assertThat(new Point(5, -31L * 5 & 0xffffffffL)).hasSameHashCodeAs(new Point(77, -31L * 77 & 0xffffffffL));
		assertGrowsSlowly(HashFloodTests::set, this::assertRefused);
		assertGrowsSlowly(HashFloodTests::map, this::assertRefused);
	}

	private static byte[] set(int count) {
		Wire set = new Wire().start(1);
		for (int i = 1; i <= count; i++) {
			set.group(5, point(i));
		}
		return set.end(1).toByteArray();
	}

	private static byte[] map(int count) {
		Wire map = new Wire().start(1).start(10);
		for (int i = 1; i <= count; i++) {
			map.group(1, new Wire().group(1, point(i)).number(2, 1));
		}
		return map.end(10).end(1).toByteArray();
	}

	/**
	 * Judges the time of this thread for few and for many keys, not how fast the machine
	 * is.
	 */
	private static void assertGrowsSlowly(IntFunction<byte[]> message, Consumer<byte[]> read) {
		byte[] few = message.apply(MANY);
		byte[] many = message.apply(TIMES * MANY);
		read.accept(few);
		long timeOfFew = cpuNanos(() -> read.accept(few));
		long timeOfMany = cpuNanos(() -> read.accept(many));
		assertThat(timeOfMany).as("nanoseconds for %d times the keys, of which few take %d", TIMES, timeOfFew)
			.isLessThan(MOST_GROWTH * Math.max(SHORT_NANOS, timeOfFew));
	}

	private static long cpuNanos(Runnable task) {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long begin = threads.getCurrentThreadCpuTime();
		task.run();
		return threads.getCurrentThreadCpuTime() - begin;
	}

	@Test
	void timesWithEqualHash_areRefused() {
		Map<LocalDateTime, Set<Point>> times = new LinkedHashMap<>();
		LocalDate[] dates = LocalDate.EPOCH.datesUntil(LocalDate.EPOCH.plusDays(1000)).toArray(LocalDate[]::new);
		for (LocalDate date : dates) {
			for (long nanos : new long[] { 1, 2, 3 }) {
				times.put(LocalDateTime.of(date, withHash(date.hashCode(), nanos)), Set.of());
			}
		}
		assertThat(times.keySet().stream().map(LocalDateTime::hashCode).distinct()).hasSize(1);
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 24);
		this.sink.method("later").serializeArguments(new Object[] { times }, out);
		byte[] bytes = out.toByteArray();
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> this.sink.method("later").deserializeArguments(bytes, 0, bytes.length))
			.withMessageContaining("pairs of equal hash codes");
	}

	/**
	 * The hash code of a set is the sum of those of its elements, so sets of colliding
	 * elements collide by themselves; comparing two takes long, and of sets of such sets
	 * longer.
	 */
	@Test
	void nestedSetsWithEqualHash_areRefused() {
		assertThat(List.of(1, 31)).hasSameHashCodeAs(List.of(2, 0));
		Object nested = colliding(0, 3);
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 24);
		MethodCodec anything = new ProtostuffSerializer().codec(ServiceDescriptor.of(Anything.class)).method(0);
		anything.serializeArguments(new Object[] { nested }, out);
		byte[] bytes = out.toByteArray();
		assertThat(bytes).hasSizeLessThan(1 << 20);
		assertTimeoutPreemptively(SOON,
				() -> assertThatExceptionOfType(SerializationException.class)
					.isThrownBy(() -> anything.deserializeArguments(bytes, 0, bytes.length))
					.withMessageContaining("take too long to compare"));
	}

	/** A set that can be told from others of its level only by its leaves. */
	private static Object colliding(int number, int level) {
		if (level == 0) {
			return List.of(number, -31 * number);
		}
		IdentityHashMap<Object, Boolean> elements = new IdentityHashMap<>();
		for (int i = 0; i < 24; i++) {
			elements.put(colliding(24 * number + i, level - 1), true);
		}
		return new AbstractSet<>() {

			@Override
			public Iterator<Object> iterator() {
				return elements.keySet().iterator();
			}

			@Override
			public int size() {
				return elements.size();
			}

		};
	}

	public interface Anything {

		void take(Object value);

	}

	/** A time whose hash code cancels that of a date. */
	private static LocalTime withHash(int hash, long high) {
		long nanos = high << 32 | (hash ^ high) & 0xffffffffL;
		return LocalTime.ofNanoOfDay(nanos);
	}

	private void assertRefused(byte[] containers) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> this.sink.method("containers").deserializeResult(containers, 0, containers.length))
			.withMessageContaining("pairs of equal hash codes");
	}

	@Test
	void ordinaryRecords_areRead() {
		Containers containers = new Containers();
		containers.set = new LinkedHashSet<>();
		containers.hashMap = new HashMap<>();
		for (int x = 0; x < 100; x++) {
			for (int y = 0; y < 1000; y++) {
				containers.set.add(new Point(x, y));
				containers.hashMap.put(new Point(-x, y), Colour.RED);
			}
		}
		OutputBuffer out = new OutputBuffer(new byte[64], 1 << 24);
		this.sink.method("containers").serializeResult(containers, out);
		byte[] bytes = out.toByteArray();
		Containers read = (Containers) this.sink.method("containers").deserializeResult(bytes, 0, bytes.length);
		assertThat(read.set.equals(containers.set)).isTrue();
		assertThat(read.hashMap.equals(containers.hashMap)).isTrue();
	}

	/** A HashMap orders texts of equal hash by their characters. */
	@Test
	void textsWithEqualHash_areReadQuickly() {
		assertGrowsSlowly(HashFloodTests::texts,
				(bytes) -> this.sink.method("containers").deserializeResult(bytes, 0, bytes.length));
	}

	private static byte[] texts(int count) {
		Wire wire = new Wire().start(1);
		for (int i = 0; i < count; i++) {
			StringBuilder text = new StringBuilder();
			for (int bit = 0; bit < 15; bit++) {
				text.append(((i >> bit & 1) == 0) ? "Aa" : "BB");
			}
			wire.text(6, text.toString());
		}
		return wire.end(1).toByteArray();
	}

}
