package io.rpcboot.serialization.zoo;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.rowBy;

/**
 * java.util.concurrent.atomic: none has an {@code equals}.
 */
final class AtomicRows {

	private AtomicRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(
				rowBy(AtomicInteger::get, "AtomicInteger", new AtomicInteger(), new AtomicInteger(Integer.MIN_VALUE)),
				rowBy(AtomicLong::get, "AtomicLong", new AtomicLong(), new AtomicLong(Long.MIN_VALUE)),
				rowBy(AtomicBoolean::get, "AtomicBoolean", new AtomicBoolean(), new AtomicBoolean(true)),
				rowBy(AtomicIntegerArray::toString, "AtomicIntegerArray", new AtomicIntegerArray(0),
						new AtomicIntegerArray(new int[] { 1, -1 })),
				rowBy(AtomicLongArray::toString, "AtomicLongArray", new AtomicLongArray(0),
						new AtomicLongArray(new long[] { 1, Long.MIN_VALUE })),
				rowBy(AtomicReference::get, "AtomicReference<List<Point>>", new AtomicReference<>(),
						new AtomicReference<>(Arrays.asList(new Point(1, 2), null)), new AtomicReference<>(List.of())),
				rowBy(AtomicReferenceArray::toString, "AtomicReferenceArray<String>", new AtomicReferenceArray<>(0),
						new AtomicReferenceArray<>(new String[] { "a", null })),
				rowBy((value) -> Arrays.asList(value.getReference(), value.isMarked()),
						"AtomicMarkableReference<String>", new AtomicMarkableReference<>(null, false),
						new AtomicMarkableReference<>("a", true)),
				rowBy((value) -> Arrays.asList(value.getReference(), value.getStamp()), "AtomicStampedReference<Point>",
						new AtomicStampedReference<>(null, 0), new AtomicStampedReference<>(new Point(1, 2), -7)));
	}

}
