package io.rpcboot.serialization.zoo;

import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooClasses.Batch;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import io.rpcboot.serialization.zoo.ZooTypes.Tree;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * All arrays.
 */
final class ArrayRows {

	private ArrayRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.concat(primitives(), objects());
	}

	private static Stream<ZooRow> primitives() {
		return Stream.of(row("byte[]", new byte[0], new byte[] { 1, -1, 127, -128 }, new byte[3000]),
				row("boolean[]", new boolean[0], new boolean[] { true, false, true }),
				row("short[]", new short[0], new short[] { 0, -1, Short.MIN_VALUE, Short.MAX_VALUE }),
				row("char[]", new char[0], new char[] { '\0', 'a', '\uffff' }),
				row("int[]", new int[0], new int[] { 0, -1, 300, Integer.MIN_VALUE, Integer.MAX_VALUE }, new int[5000]),
				row("long[]", new long[0], new long[] { 0, -1, Long.MIN_VALUE, Long.MAX_VALUE }),
				row("float[]", new float[0], new float[] { 0f, -0f, 1.5f, Float.NaN }),
				row("double[]", new double[0], new double[] { 0d, -0d, 1.1, Double.NEGATIVE_INFINITY }),
				row("int[][]", new int[0][], new int[][] { {}, { 1 }, null, { 2, 3 } }),
				row("long[][][]", new Object[] { new long[][][] { {}, { {}, null, { 1, 2 } }, null } }),
				row("byte[][]", new Object[] { new byte[][] { {}, { 1, 2 }, null } }));
	}

	private static Stream<ZooRow> objects() {
		return Stream.of(row("Byte[]", new Byte[] { 1, null, -1 }, new Byte[0]),
				row("Short[]", new Object[] { new Short[] { 1, null } }),
				row("Character[]", new Object[] { new Character[] { 'a', null } }),
				row("Boolean[]", new Object[] { new Boolean[] { true, null, false } }),
				row("Integer[]", new Integer[0], new Integer[] { 1, null, -1 }, new Integer[] { null }),
				row("Long[]", new Object[] { new Long[] { 1L, null, Long.MIN_VALUE } }),
				row("Float[]", new Object[] { new Float[] { 1f, null } }),
				row("Double[]", new Object[] { new Double[] { 1d, null, Double.NaN } }),
				row("String[]", new String[0], new String[] { "a", null, "", "中" },
						Collections.nCopies(1000, "n").toArray(String[]::new)),
				row("String[][]", new Object[] { new String[][] { { "a", null }, null, {} } }),
				row("Colour[]", new Object[] { new Colour[] { Colour.RED, null, Colour.BLUE } }),
				row("Point[]", new Point[0], new Point[] { new Point(1, 2), null }),
				row("Point[][]", new Object[] { new Point[][] { { new Point(1, 2) }, null, {} } }),
				row("Tree[]", new Object[] { new Tree[] { Tree.of("a", Tree.of("b")), null } }),
				row("LocalDate[]", new Object[] { new LocalDate[] { LocalDate.EPOCH, null } }),
				row("List<String>[]", new Object[] { new List<?>[] { List.of("a"), null, List.of() } }),
				row("Optional<Integer>[]", new Object[] { new Optional<?>[] { Optional.of(1), Optional.empty() } }),
				row("Batch<Point>", Batch.of(new Point(1, 2), null), Batch.<Point>of(), new Batch<>()),
				row("List<int[]>", List.of()), row("Object[]", new Object[] { new Object[] { 1, "a", null } }));
	}

}
