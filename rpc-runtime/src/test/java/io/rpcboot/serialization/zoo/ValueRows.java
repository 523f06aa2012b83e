package io.rpcboot.serialization.zoo;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooTypes.Point;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * Value types of the JDK.
 */
final class ValueRows {

	private ValueRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.of(row("UUID", new UUID(-1, 1), new UUID(0, 0), new UUID(0x0123456789ABCDEFL, 1L << 63)),
				row("Optional<String>", Optional.empty(), Optional.of(""), Optional.of("text")),
				row("Optional<Optional<Point>>", Optional.empty(), Optional.of(Optional.empty()),
						Optional.of(Optional.of(new Point(1, 2)))),
				row("List<Optional<List<Integer>>>", List.of(),
						Arrays.asList(Optional.empty(), null, Optional.of(List.of()), Optional.of(List.of(1)))),
				row("OptionalInt", OptionalInt.empty(), OptionalInt.of(0), OptionalInt.of(-1)),
				row("OptionalLong", OptionalLong.empty(), OptionalLong.of(0), OptionalLong.of(Long.MIN_VALUE)),
				row("OptionalDouble", OptionalDouble.empty(), OptionalDouble.of(0), OptionalDouble.of(Double.NaN)),
				row("BitSet", new BitSet(), BitSet.valueOf(new long[] { 5, 0, -1 }),
						BitSet.valueOf(new byte[] { 0, 1 })),
				row("ByteBuffer", ByteBuffer.wrap(new byte[] { 1, 2, 3 }), ByteBuffer.allocate(0),
						ByteBuffer.wrap(new byte[] { 1, 2, 3, 4 }, 1, 2), ByteBuffer.allocateDirect(3).position(1),
						ByteBuffer.wrap(new byte[] { 1 }).asReadOnlyBuffer()));
	}

}
