package io.rpcboot.serialization.zoo;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Operator;

import static io.rpcboot.serialization.zoo.ZooRow.row;

/**
 * Numbers, strings, enums.
 */
final class ScalarRows {

	private ScalarRows() {
	}

	static Stream<ZooRow> rows() {
		return Stream.concat(primitives(), objects());
	}

	private static Stream<ZooRow> primitives() {
		return Stream.of(row("byte", (byte) 0, Byte.MIN_VALUE, Byte.MAX_VALUE),
				row("short", (short) 0, Short.MIN_VALUE, Short.MAX_VALUE), row("char", '\0', 'a', '\uffff'),
				row("int", 0, -1, 300, Integer.MIN_VALUE, Integer.MAX_VALUE),
				row("long", 0L, -1L, 1L << 35, Long.MIN_VALUE, Long.MAX_VALUE),
				row("float", 0f, -0f, 1.5f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY),
				row("double", 0d, -0d, 1.1, Double.NaN, Double.MIN_VALUE, Double.POSITIVE_INFINITY),
				row("boolean", true, false));
	}

	private static Stream<ZooRow> objects() {
		return Stream.of(row("Byte", (byte) 0, Byte.MIN_VALUE, Byte.MAX_VALUE),
				row("Short", (short) 0, Short.MIN_VALUE, Short.MAX_VALUE), row("Character", '\0', 'a', '\uffff'),
				row("Integer", 0, -1, 127, 128, Integer.MIN_VALUE, Integer.MAX_VALUE),
				row("Long", 0L, -1L, 1L << 35, Long.MIN_VALUE, Long.MAX_VALUE),
				row("Float", 0f, -0f, 1.5f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY),
				row("Double", 0d, -0d, 1.1, Double.NaN, Double.MAX_VALUE, Double.POSITIVE_INFINITY),
				row("Boolean", true, false),
				row("String", "", "Doug Lea", "北京市 中关村 1605", "a\u0000b\u007f\u0080\u07ff\u0800\uffff",
						"\ud83d\ude00 emoji", "lone \ud83d and \ude00 reversed", "x".repeat(127), "x".repeat(128),
						"é".repeat(70000), "x".repeat(42) + "中", "x".repeat(127) + "é", " \"quoted\" \\ \r\n\t "),
				row("BigInteger", BigInteger.ZERO, BigInteger.TWO.pow(300).negate(), new BigInteger("98765432109876")),
				row("BigDecimal", new BigDecimal("-1.10"), new BigDecimal("1E+2147483647"), BigDecimal.ZERO,
						new BigDecimal("0.000"), new BigDecimal(BigInteger.TWO.pow(300), -7)),
				row("Colour", Colour.RED, Colour.BLUE), row("Operator", Operator.PLUS, Operator.MINUS),
				row("TimeUnit", TimeUnit.NANOSECONDS, TimeUnit.DAYS));
	}

}
