package io.rpcboot.serialization.jackson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;

import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonToken;

/**
 * Reads and writes numbers without a loss of digits.
 */
final class JsonNumbers {

	/**
	 * Maximum number of decimal digits, because the time to read them grows with the
	 * square of their number.
	 */
	private static final int MAX_DIGITS = 1000;

	private static final int MAX_BITS = 3300;

	private static final String HEX = "0x";

	private static final List<String> NOT_FINITE = List.of("NaN", "Infinity", "-Infinity");

	private JsonNumbers() {
	}

	static long integer(JsonInput in, long least, long most) {
		in.require(JsonToken.VALUE_NUMBER_INT);
		long value = in.getLongValue();
		if (value < least || value > most) {
			throw new PathException("%d (expected: %d to %d)".formatted(value, least, most));
		}
		return value;
	}

	/** Returns the digits of a number, or the name of one that is not finite. */
	static String floating(JsonInput in) {
		String text = in.text();
		boolean valid = (in.currentToken() == JsonToken.VALUE_STRING) ? NOT_FINITE.contains(text)
				: in.currentToken() == JsonToken.VALUE_NUMBER_INT || in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT;
		if (!valid) {
			throw new PathException("%s (expected: a number, or one of %s)".formatted(in.found(), NOT_FINITE));
		}
		return text;
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
