package io.rpcboot.internal.serialization.types.value;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Primitives with their boxes, and checks of numbers that cannot be sent.
 */
public final class Numbers {

	private static final int DECIMAL_BITS = 4096;

	public static final Map<Class<?>, Class<?>> BOXES = Map.of(byte.class, Byte.class, short.class, Short.class,
			int.class, Integer.class, long.class, Long.class, float.class, Float.class, double.class, Double.class,
			boolean.class, Boolean.class, char.class, Character.class);

	/** Boxes by the names of boxes and primitives. */
	private static final Map<String, Class<?>> NAMED = BOXES.entrySet()
		.stream()
		.flatMap((each) -> Map.of(each.getKey().getName(), each.getValue(), each.getValue().getName(), each.getValue())
			.entrySet()
			.stream())
		.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

	private Numbers() {
	}

	/** Returns the box of a primitive, or the class itself. */
	public static Class<?> box(Class<?> type) {
		return BOXES.getOrDefault(type, type);
	}

	/**
	 * Returns the box of a primitive or a box in a contract, {@code void} for any other
	 * type.
	 */
	public static Class<?> box(TypeRef type) {
		return NAMED.getOrDefault(type.name(), void.class);
	}

	/**
	 * Refuses a decimal of more than {@value #DECIMAL_BITS} bits, because sorted sets
	 * compare decimals: one comparison of a megabyte takes milliseconds.
	 */
	public static BigDecimal requireFewDigits(BigDecimal value) {
		if (value.unscaledValue().bitLength() > DECIMAL_BITS) {
			throw new PathException("a BigDecimal of %d bits (expected: at most %d, about 1,200 digits)"
				.formatted(value.unscaledValue().bitLength(), DECIMAL_BITS));
		}
		return value;
	}

	/**
	 * Refuses a buffer whose order is not that of a new buffer, because its numbers would
	 * be read in another order than they were written.
	 */
	public static ByteBuffer requireBigEndian(ByteBuffer value) {
		if (value.order() != ByteOrder.BIG_ENDIAN) {
			throw new PathException(
					"a ByteBuffer of order %s (expected: BIG_ENDIAN, because the order cannot be sent; duplicate() has it, and the reader can set another)"
						.formatted(value.order()));
		}
		return value;
	}

}
