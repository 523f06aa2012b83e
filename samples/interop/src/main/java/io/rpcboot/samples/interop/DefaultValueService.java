package io.rpcboot.samples.interop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** The values, which {@code values.json} has in the JSON of protobuf. */
final class DefaultValueService implements ValueService {

	private static final List<Values> ALL = List.of(
			new Values(false, (byte) 0, (short) 0, 0, 0, 0, 0, '\0', null, null, null, null, null, null, null, null,
					null, null, null, null, null, OptionalInt.empty(), Optional.empty(), List.of(), List.of(),
					List.of(), Map.of(), Map.of(), List.of(), null, List.of(), null),
			new Values(true, (byte) 1, (short) 1, 1, 1, 1, 1, 'a', true, 1, 1.0, "a", BigDecimal.ONE, BigInteger.ONE,
					new UUID(0, 1), URI.create("http://a.example/b?c=d"), LocalDate.of(2024, 2, 29),
					LocalDateTime.of(2024, 2, 29, 23, 59, 58), Instant.ofEpochSecond(1), Duration.ofSeconds(1),
					Colour.RED, OptionalInt.of(1), Optional.of("a"), List.of("a"), List.of(1), List.of(Colour.RED),
					Map.of("a", 1L), Map.of(Colour.RED, "a"), List.of(List.of(1)), new Circle(1),
					List.of(new Circle(1)), new Page<>(List.of(new Circle(1)), 1)),
			new Values(true, (byte) -1, (short) -1, -1, -1, -1, -1, '\uffff', false, -1, -1.0, "\u4e00\u00df",
					new BigDecimal("-1.50"), BigInteger.ONE.negate(), new UUID(-1, -1), URI.create("urn:a"),
					LocalDate.of(1, 1, 1), LocalDateTime.of(1, 1, 1, 0, 0), Instant.ofEpochSecond(-1),
					Duration.ofSeconds(-1), Colour.GREEN, OptionalInt.of(-1), Optional.of("\u4e00"),
					List.of("\u4e00", ""), List.of(-1, 0), List.of(Colour.GREEN, Colour.RED), Map.of("\u4e00", -1L),
					Map.of(Colour.GREEN, "\u4e00"), List.of(List.of(-1, 0), List.of()), new Square(-1),
					List.of(new Circle(-1), new Circle(0)), new Page<>(List.of(), -1)),
			new Values(false, Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Float.MAX_VALUE,
					Double.MAX_VALUE, 'z', true, Integer.MAX_VALUE, Double.MAX_VALUE, "z".repeat(300),
					new BigDecimal("1E+100"), BigInteger.TWO.pow(100), new UUID(Long.MAX_VALUE, Long.MAX_VALUE),
					URI.create("/"), LocalDate.of(9999, 12, 31),
					LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_999),
					Instant.parse("9999-12-31T23:59:59.999999999Z"), Duration.ofSeconds(315_576_000_000L), Colour.BLUE,
					OptionalInt.of(Integer.MAX_VALUE), Optional.of("z".repeat(300)), List.of("z".repeat(300), "b"),
					List.of(Integer.MAX_VALUE, 300), List.of(Colour.BLUE, Colour.BLUE, Colour.GREEN),
					Map.of("z", Long.MAX_VALUE), Map.of(Colour.BLUE, "z"),
					List.of(List.of(Integer.MAX_VALUE), List.of(2, 3)), new Square(Integer.MAX_VALUE),
					List.of(new Circle(Double.MAX_VALUE)),
					new Page<>(List.of(new Circle(2), new Circle(3)), Long.MAX_VALUE)),
			new Values(true, Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, Float.MIN_VALUE,
					Double.MIN_VALUE, '\u20ac', false, Integer.MIN_VALUE, Double.MIN_VALUE, "\ud83d\ude00\n\t\"\\",
					new BigDecimal("-1E-100"), BigInteger.TWO.pow(100).negate(),
					new UUID(Long.MIN_VALUE, Long.MIN_VALUE), URI.create("mailto:a@b.example"),
					LocalDate.of(1969, 12, 31), LocalDateTime.of(1969, 12, 31, 12, 0),
					Instant.parse("0001-01-01T00:00:00Z"), Duration.ofSeconds(-315_576_000_000L), Colour.RED,
					OptionalInt.of(Integer.MIN_VALUE), Optional.of("\ud83d\ude00"), List.of("\ud83d\ude00"),
					List.of(Integer.MIN_VALUE), List.of(Colour.BLUE), Map.of("\ud83d\ude00", Long.MIN_VALUE),
					Map.of(Colour.RED, "\ud83d\ude00"), List.of(List.of(Integer.MIN_VALUE)),
					new Circle(Double.MIN_VALUE), List.of(new Circle(Double.MIN_VALUE)),
					new Page<>(List.of(new Circle(-2)), Long.MIN_VALUE)),
			new Values(true, (byte) 5, (short) 300, 70_000, 5_000_000_000L, 0.1f, 0.1, '\t', false, 0, 0.0, "",
					BigDecimal.ZERO, BigInteger.ZERO, new UUID(0, 0), URI.create(""), LocalDate.EPOCH,
					LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1), Instant.ofEpochSecond(0, 1), Duration.ofNanos(1), null,
					OptionalInt.of(0), Optional.of(""), List.of("", ""), List.of(0, 0), List.of(Colour.GREEN),
					Map.of("", 0L), Map.of(Colour.GREEN, ""), List.of(List.of(0), List.of(), List.of(0, 0)),
					new Square(null), List.of(new Circle(0)), new Page<>(List.of(new Circle(0)), 0)),
			new Values(false, (byte) -128, (short) 128, 128, 16_384, Float.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
					' ', null, 127, Double.NaN, " ", new BigDecimal("0.00"), new BigInteger("127"), new UUID(1, 0),
					URI.create("#a"), LocalDate.of(2000, 1, 1), LocalDateTime.of(2000, 1, 1, 0, 0, 1),
					Instant.ofEpochSecond(0), Duration.ZERO, Colour.BLUE, OptionalInt.of(127), Optional.of(" "),
					List.of("a", "b", "c"), List.of(127, 128, 16_383, 16_384), List.of(Colour.RED, Colour.GREEN),
					Map.of("a", 127L), Map.of(Colour.BLUE, " "), List.of(List.of(), List.of()), new Circle(Double.NaN),
					List.of(), new Page<>(List.of(), 0)));

	@Override
	public Values get(int index) {
		return ALL.get(index);
	}

	@Override
	public boolean check(int index, Values values) {
		return ALL.get(index).equals(values);
	}

}
