package io.rpcboot.internal.serialization.types.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;

import io.rpcboot.serialization.PathException;

/**
 * Texts of numbers of any length, which are read in a bounded time.
 */
final class NumberTexts {

	/**
	 * Maximum number of decimal digits, because the time to read them grows with the
	 * square of their number.
	 */
	private static final int MAX_DIGITS = 1000;

	private static final int MAX_BITS = 3300;

	private static final String HEX = "0x";

	private NumberTexts() {
	}

	static String text(BigInteger value) {
		return (value.bitLength() <= MAX_BITS) ? value.toString() : HEX + HexFormat.of().formatHex(value.toByteArray());
	}

	static BigInteger bigInteger(String text) {
		if (text.startsWith(HEX)) {
			return new BigInteger(HexFormat.of().parseHex(text, HEX.length(), text.length()));
		}
		return new BigInteger(limited(text));
	}

	static String text(BigDecimal value) {
		Numbers.requireFewDigits(value);
		return (value.unscaledValue().bitLength() <= MAX_BITS && Math.abs((long) value.scale()) < MAX_DIGITS)
				? value.toString() : text(value.unscaledValue()) + "*10^" + -(long) value.scale();
	}

	static BigDecimal bigDecimal(String text) {
		int power = text.indexOf("*10^");
		if (power < 0) {
			return Numbers.requireFewDigits(new BigDecimal(limited(text)));
		}
		int scale = Math.toIntExact(-Long.parseLong(text.substring(power + 4)));
		return Numbers.requireFewDigits(new BigDecimal(bigInteger(text.substring(0, power)), scale));
	}

	private static String limited(String text) {
		if (text.length() > 2 * MAX_DIGITS) {
			throw new PathException("%d characters of a number (expected: at most %d, longer ones in hexadecimal)"
				.formatted(text.length(), 2 * MAX_DIGITS));
		}
		return text;
	}

}
