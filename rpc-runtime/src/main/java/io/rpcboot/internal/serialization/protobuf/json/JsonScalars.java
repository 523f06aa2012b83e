package io.rpcboot.internal.serialization.protobuf.json;

import java.math.BigDecimal;
import java.util.Base64;

import io.rpcboot.internal.serialization.json.JsonInput;
import io.rpcboot.internal.text.NearestName;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads values without fields. A number may be a text, and an integer may have an
 * exponent or a fraction of zeros.
 */
final class JsonScalars {

	/** Constant without a name that is known, of a reader that ignores it. */
	static final long UNKNOWN = Long.MIN_VALUE;

	/** Maximum number of characters of a value in a message. */
	private static final int MOST = 40;

	private static final int MAX_NUMBER = 1000;

	/** Digits that are never more than 64 bits. */
	private static final int SAFE_DIGITS = 18;

	/** Maximum number of digits in front of the point that are looked at. */
	private static final int MAX_DIGITS = 20;

	private JsonScalars() {
	}

	/** Returns the text of the current token. */
	static String text(JsonInput in) {
		in.require(JsonToken.VALUE_STRING);
		return anyText(in);
	}

	private static String anyText(JsonInput in) {
		in.budget().charge((long) Character.BYTES * in.getStringLength());
		return in.getString();
	}

	/** Reads bytes in either alphabet of Base64, with or without padding. */
	static byte[] bytes(JsonInput in) {
		String text = text(in);
		boolean isOfUrls = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
		try {
			in.budget().charge(text.length());
			return (isOfUrls ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
		}
		catch (IllegalArgumentException ex) {
			throw refused(quoted(text), FieldKind.BYTES.expected());
		}
	}

	/**
	 * Reads a number, a boolean or a constant.
	 * @param ignores true to read {@link #UNKNOWN} for a constant without a known name
	 */
	static long number(JsonInput in, MessageField field, boolean ignores) {
		JsonToken token = in.currentToken();
		FieldKind kind = field.kind();
		if (token == JsonToken.VALUE_STRING) {
			return ofText(anyText(in), field, ignores);
		}
		if (kind == FieldKind.BOOL && (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE)) {
			return (token == JsonToken.VALUE_TRUE) ? 1 : 0;
		}
		boolean isInteger = token == JsonToken.VALUE_NUMBER_INT;
		if (kind == FieldKind.BOOL || !(isInteger || token == JsonToken.VALUE_NUMBER_FLOAT)) {
			throw refused(in.found(), kind.expected());
		}
		if (isInteger && in.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
			long value = in.getLongValue();
			if (kind == FieldKind.DOUBLE || kind == FieldKind.FLOAT) {
				boolean isNegativeZero = value == 0 && in.getStringCharacters()[in.getStringOffset()] == '-';
				return (kind == FieldKind.DOUBLE) ? bits(isNegativeZero ? -0d : value)
						: bits(isNegativeZero ? -0f : value);
			}
			if (kind.accepts(value)) {
				return value;
			}
		}
		if (kind == FieldKind.DOUBLE && Double.isFinite(in.getDoubleValue())) {
			return bits(in.getDoubleValue());
		}
		return ofDigits(in.getString(), kind);
	}

	private static long bits(double value) {
		return Double.doubleToLongBits(value);
	}

	private static long bits(float value) {
		return Float.floatToIntBits(value) & 0xFFFFFFFFL;
	}

	/** Reads a number, a boolean or a constant from its text, also from a key. */
	static long ofText(String text, MessageField field, boolean ignores) {
		FieldKind kind = field.kind();
		switch (kind) {
			case BOOL -> {
				if (text.equals("true") || text.equals("false")) {
					return text.equals("true") ? 1 : 0;
				}
				throw refused(quoted(text), kind.expected());
			}
			case ENUM -> {
				EnumNames names = field.names();
				Integer number = names.numbers().get(text);
				if (number != null) {
					return number;
				}
				if (isNumeric(text)) {
					return ofDigits(text, kind);
				}
				if (ignores) {
					return UNKNOWN;
				}
				String nearest = NearestName.of(text, names.numbers().keySet());
				throw refused(quoted(text), (nearest != null) ? "'" + nearest + "'" : "a constant of %s: %s"
					.formatted(names.name(), PathException.some(names.numbers().keySet().stream())));
			}
			case DOUBLE, FLOAT -> {
				double special = switch (text) {
					case "NaN" -> Double.NaN;
					case "Infinity" -> Double.POSITIVE_INFINITY;
					case "-Infinity" -> Double.NEGATIVE_INFINITY;
					default -> 0;
				};
				if (special != 0) {
					return (kind == FieldKind.DOUBLE) ? bits(special) : bits((float) special);
				}
			}
			default -> {
				// read below
			}
		}
		if (!isNumeric(text)) {
			throw refused(quoted(text), kind.expected());
		}
		return ofDigits(text, kind);
	}

	/** Returns true if all characters are of numbers, and not too many. */
	private static boolean isNumeric(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if ((c < '0' || c > '9') && c != '-' && c != '.' && c != 'e' && c != 'E' && c != '+') {
				return false;
			}
		}
		return !text.isEmpty() && text.length() <= MAX_NUMBER;
	}

	private static long ofDigits(String text, FieldKind kind) {
		try {
			switch (kind) {
				case DOUBLE -> {
					double value = Double.parseDouble(text);
					if (Double.isFinite(value)) {
						return bits(value);
					}
				}
				case FLOAT -> {
					float value = Float.parseFloat(text);
					if (Float.isFinite(value)) {
						return bits(value);
					}
				}
				default -> {
					boolean isPlain = text.length() <= SAFE_DIGITS && text.indexOf('.') < 0 && text.indexOf('e') < 0
							&& text.indexOf('E') < 0;
					if (isPlain && kind.accepts(Long.parseLong(text))) {
						return Long.parseLong(text);
					}
					// an exponent may stand for more zeros than there is memory
					BigDecimal exact = new BigDecimal(text).stripTrailingZeros();
					if (exact.scale() <= 0 && (long) exact.precision() - exact.scale() <= MAX_DIGITS
							&& kind.accepts(exact.toBigIntegerExact())) {
						return exact.toBigIntegerExact().longValue();
					}
				}
			}
		}
		catch (NumberFormatException ex) {
			// refused as any other text
		}
		throw refused(PrintableText.of(text, MOST), kind.expected());
	}

	/** Returns a text for a message: printable, cut and in quotes. */
	static String quoted(String text) {
		return "'" + PrintableText.of(text, MOST) + "'";
	}

	static PathException refused(String given, String expected) {
		return new PathException("%s (expected: %s)".formatted(given, expected));
	}

}
